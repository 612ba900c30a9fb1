#include "common/simulator/ptx/parser.hpp"

#include <bit>

#include "common/simulator/ptx.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator::ptx;

namespace {

Token only(std::string_view text) {
  Lexer lexer(text, "t");
  const Token token = lexer.take();
  CHECK(lexer.peek().kind == Token::Kind::end);
  return token;
}

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

}  // namespace

TEST_CASE("integers are read in every base") {
  CHECK(only("42").bits == 42);
  CHECK(only("0x1F").bits == 31);
  CHECK(only("0XfF").bits == 255);
  CHECK(only("017").bits == 15);
  CHECK(only("0").bits == 0);
  CHECK(only("0b101").bits == 5);
  CHECK(only("18446744073709551615").bits == ~std::uint64_t{0});
  CHECK(only("18446744073709551615").is_unsigned);
  CHECK(only("7U").is_unsigned);
  CHECK_FALSE(only("7").is_unsigned);
}

TEST_CASE("floating-point numbers become the bits of a double") {
  CHECK(only("0f3F800000").bits == bits_of(1.0));
  CHECK(only("0F7f800000").bits == bits_of(std::numeric_limits<double>::infinity()));
  CHECK(only("0d4000000000000000").bits == bits_of(2.0));
  CHECK(only("1.5").bits == bits_of(1.5));
  CHECK(only("1e-3").bits == bits_of(1e-3));
  CHECK(only("0f3F800000").kind == Token::Kind::real);
}

TEST_CASE("the payload of a NaN is kept, signalling or not") {
  CHECK(only("0f7FFFFFFF").bits == 0x7FFFFFFFE0000000u);
  CHECK(only("0fFF800001").bits == 0xFFF0000020000000u);
}

TEST_CASE("names, directives and strings are views without their marks") {
  CHECK(only("%r1").text == "%r1");
  CHECK(only("$L__BB0_2").is_identifier());
  CHECK(only(".shared::cta").is_directive("shared::cta"));
  CHECK(only(".2d").is_directive("2d"));
  CHECK(only("\"a \\\" b\"").text == "a \\\" b");
  CHECK(only("<<").is("<<"));
}

TEST_CASE("comments count lines and hide text") {
  Lexer lexer("a // b\n/* c\n d */ e", "t");
  CHECK(lexer.take().line == 1);
  const Token second = lexer.take();
  CHECK(second.text == "e");
  CHECK(second.line == 3);
}

TEST_CASE("what is no token is an error") {
  const auto text =
      GENERATE(as<std::string>{}, "0x", "0f12", "0d12", "0b2", "08", "1abc", "99999999999999999999",
               "0x11112222333344445", "1e999", "\"open", "/* open", "#", "\x80", ".");
  CAPTURE(text);
  CHECK_THROWS_AS(Lexer(text, "t"), Error);
}
