#include "common/text/source.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::text;

namespace {

const char* const source = R"(#include "kernels.hpp"  // { counts for nothing here

using warpwise::stir;

extern "C" __global__ void declared(float* out);

// The sum of each block.
// Two lines.
extern "C" __global__ void first(const float* in, float* out, unsigned n) {
  // TODO (1 line): a brace in a comment { counts for nothing
  if (n > 0) { out[0] = '{'; }
}

namespace {
struct Pair {
  float a, b;
  float sum() const { return a + b; }
};
/// Half of it.
template <class T>
__device__ T half_of(T x) {
  return x / 2;  // TODO
}
}  // namespace

__device__ float helper(float x) { return half_of(x); }

extern "C" __global__ void __launch_bounds__(256) second(float* out) { out[0] = helper("}" [0]); }
extern "C" __global__ void __launch_bounds__(warpwise::threads)
    third(float* out) {
  // TODO call (1 line): helper(), as second
}
)";

std::vector<Function> functions_in(const std::string& text) {
  const Source of_text(text);
  return of_text.functions();
}

std::vector<Function> kernels_in(const std::string& text) {
  std::vector<Function> kernels = functions_in(text);
  std::erase_if(kernels, [](const Function& function) { return !function.is_kernel; });
  return kernels;
}

std::vector<std::string> names_of(const std::vector<Function>& functions) {
  std::vector<std::string> names;
  for (const Function& function : functions) names.push_back(function.name);
  return names;
}

}  // namespace

TEST_CASE("an English word in a comment calls no function; one with brackets does") {
  const std::string functions = "__device__ int then(int a) {\n  // TODO (1 line)\n}\n";
  const auto needed = [&](const std::string& comment) {
    return Source(functions + "__global__ void k() {\n  // TODO: " + comment + "\n}\n")
        .kernel_and_callees("k")
        .size();
  };
  CHECK(needed("the slot then lies further on") == 1);
  CHECK(needed("combine them by then(a, b)") == 2);
  CHECK(needed("combine them (see `then`)") == 2);
}

TEST_CASE("code is the same whatever its comments, blank lines and line ends are") {
  const std::string code = "// one\nint a = 1;  // two\n\nchar b = '/';\n";
  CHECK(code_alone(code) == "int a = 1; char b = '/';");
  CHECK(code_alone("int a = 1;\r\nchar b =\t'/'; /* three */") == code_alone(code));
  CHECK(code_alone("int a = 1; char b = '\\'';") != code_alone(code));
  CHECK(code_alone("#define A 1\nx();") != code_alone("#define A 1 x();"));
  CHECK(code_alone("#define A 1  // one\n\nx();") == code_alone("#define A 1\nx();"));
}

TEST_CASE("functions are found with their bodies; declarations and classes are not") {
  CHECK(names_of(functions_in(source)) ==
        std::vector<std::string>{"first", "half_of", "helper", "second", "third"});
  const auto kernels = kernels_in(source);
  CHECK(Source(source).kernels() == std::vector<std::string>{"first", "second", "third"});
  REQUIRE(names_of(kernels) == std::vector<std::string>{"first", "second", "third"});
  CHECK(kernels[0].line == 9);
  CHECK(kernels[0].comment == "// The sum of each block.\n// Two lines.\n");
  CHECK(kernels[0].code.starts_with("extern \"C\" __global__ void first("));
  CHECK(kernels[0].code.ends_with("}\n}"));
  CHECK(kernels[1].comment.empty());
  CHECK(
      kernels[1].code ==
      R"(extern "C" __global__ void __launch_bounds__(256) second(float* out) { out[0] = helper("}" [0]); })");
}

TEST_CASE("a template begins with its parameters") {
  const Function half = functions_in(source)[1];
  CHECK(half.comment == "/// Half of it.\n");
  CHECK(half.code.starts_with("template <class T>\n__device__ T half_of"));
  CHECK(half.line == 20);
}

TEST_CASE("a kernel comes with what it calls, and with what that calls, but with no other kernel") {
  CHECK(names_of(Source(source).kernel_and_callees("first")) == std::vector<std::string>{"first"});
  CHECK(names_of(Source(source).kernel_and_callees("second")) ==
        std::vector<std::string>{"half_of", "helper", "second"});
  CHECK(names_of(Source(source).kernel_and_callees("third")) ==
        std::vector<std::string>{"half_of", "helper", "third"});
  CHECK(Source(source).kernel_and_callees("helper").empty());
  CHECK(Source(source).kernel_and_callees("fourth").empty());
}

TEST_CASE("a function is open while it has a TODO") {
  const auto kernels = kernels_in(source);
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0].has_todo);
  CHECK_FALSE(kernels[1].has_todo);
}

TEST_CASE("text that is no CUDA, or ends too soon, gives no kernel and no crash") {
  CHECK(functions_in("").empty());
  CHECK(functions_in("__global__").empty());
  CHECK(functions_in("// __global__ void f() {}\n").empty());
  CHECK(functions_in("\"__global__ void f() {}").empty());
  CHECK(kernels_in("__global__ void f() { /* never closed").size() == 1);
  CHECK(functions_in("/* __global__ void f() {}").empty());
  CHECK(functions_in("}}}; ){(").empty());
  CHECK(functions_in("#define begin {\n").empty());
}

TEST_CASE("a kernel is a skeleton as long as a comment says TODO in it, or in a function that it names") {
  const char* const text = R"(__device__ int help() {
  // TODO (1 line)
}
extern "C" __global__ void calls(int* out) { out[0] = help(); }
extern "C" __global__ void own(int* out) { /* TODO */ }
extern "C" __global__ void written(int* TODO) { printf("TODO"); }
)";
  CHECK(Source(text).is_skeleton("calls"));
  CHECK(Source(text).is_skeleton("own"));
  CHECK_FALSE(Source(text).is_skeleton("written"));
  CHECK_FALSE(Source(text).is_skeleton("nobody"));
}

TEST_CASE("a kernel alone has the lines where they were, with its family and without the others") {
  const Source text(R"(// All of it.
extern "C" __global__ void sum_64(int* out) { out[0] = 1'000; }
__device__ int half(int x) { return x / 2; }
extern "C" __global__ void
    other(int* out) {
  out[0] = half(3);
}
extern "C" __global__ void sum_128(int* out) { out[0] = 2; }
)");
  CHECK(text.with_kernel_alone("sum_128") ==
        R"(// All of it.
extern "C" __global__ void sum_64(int* out) { out[0] = 1'000; }
__device__ int half(int x) { return x / 2; }
)" + std::string(26, ' ') +
            '\n' + std::string(21, ' ') + '\n' + std::string(19, ' ') + "\n \n" +
            "extern \"C\" __global__ void sum_128(int* out) { out[0] = 2; }\n");
  CHECK(text.with_kernel_alone("other").find("sum") == std::string::npos);
  CHECK(text.with_kernel_alone("half").empty());
}

TEST_CASE("a file without the anchors of its lesson") {
  CHECK(without_anchors("a\n  // [tree]\nb[i] = 1;  // [not one]\n// [/tree]\n// [no\nc") ==
        "a\nb[i] = 1;  // [not one]\n// [no\nc");
}

namespace {
const char* const with_todos = R"(// TODO: this one belongs to no kernel
extern "C" __global__ void reduce(const float* in) {
  // TODO load (about 3 lines): each thread copies its element
  // TODO: store (1 line)
}

__device__ void add(float* to) {
  // TODO add (1 line): one step
}

extern "C" __global__ void reduce_more(const float* in) {
  // TODO (about 5 lines): all of it, with add()
  reduce(in);  // TODO
}

__device__ void unused() {}  // TODO: nobody's
)";
}  // namespace

TEST_CASE("the TODOs of a kernel are those in its body and in the functions that it names") {
  const auto todos = Source(with_todos).todos_of("reduce");
  REQUIRE(todos.size() == 2);
  CHECK(todos[0].line == 3);
  CHECK(todos[0].text == "load (about 3 lines)");
  CHECK(todos[1].line == 4);
  CHECK(todos[1].text == "store (1 line)");
  CHECK_FALSE(todos[0].is_written);
  const auto more = Source(with_todos).todos_of("reduce_more");
  REQUIRE(more.size() == 3);
  CHECK(more[0].line == 8);
  CHECK(more[0].text == "add (1 line)");
  CHECK(more[1].line == 12);
  CHECK_FALSE(more[0].is_written);
  CHECK(more[1].is_written);
  CHECK(Source(with_todos).todos_of("more").empty());
  CHECK(read_source("there/is/no.cu").todos_of("reduce").empty());
}
