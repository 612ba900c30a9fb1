#include "common/show/page.hpp"

#include "common/testing/catch.hpp"

using warpwise::show::NamedTraces;
using warpwise::show::page_of;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a page holds its traces, and asks for nothing from outside") {
  const NamedTraces runs[] = {{"ch01/solution.cu: reduce_naive", R"({"version":1})"}};
  const std::string page = page_of("reduce_naive", runs);
  CHECK(page.find("<title>Warpwise: reduce_naive</title>") != page.npos);
  CHECK(page.find(R"([{"name":"ch01/solution.cu: reduce_naive","traces":{"version":1}}])") != page.npos);
  CHECK(page.find("function drawWhen") != page.npos);
  CHECK(page.find("--paper") != page.npos);
  CHECK(count(page, "src=") == 0);
  CHECK(count(page, "href=") == 0);
  CHECK(count(page, "import ") == 0);
  CHECK(page.find('@' + std::string("SCRIPT")) == page.npos);
}

TEST_CASE("what was measured stands on the page, and without it nothing does") {
  const NamedTraces runs[] = {{"one", "1"}};
  CHECK(page_of("t", runs, "", "<p>0.5 ms</p>").find("</main>\n<p>0.5 ms</p>") != std::string::npos);
  CHECK(count(page_of("t", runs), "id=\"measured\"") == 0);
}

TEST_CASE("a page stands what a source or a name may hold") {
  const NamedTraces runs[] = {{"a\"b\\c\n", R"({"lines":["</script><!--"]})"}};
  const std::string page = page_of("a<b & @SCRIPT@", runs);
  CHECK(page.find("a&lt;b &amp; @SCRIPT@") != page.npos);
  CHECK(page.find(R"("name":"a\"b\\c\u000a")") != page.npos);
  CHECK(page.find(R"(["\u003c/script>\u003c!--"])") != page.npos);
  CHECK(count(page, "</script>") == 2);
}

TEST_CASE("two runs stand one behind the other") {
  const NamedTraces runs[] = {{"one", "1"}, {"two", "2"}};
  CHECK(page_of("t", runs).find(R"([{"name":"one","traces":1},{"name":"two","traces":2}])") !=
        std::string::npos);
}
