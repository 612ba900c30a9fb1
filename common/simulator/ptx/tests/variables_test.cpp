#include <bit>
#include <cstring>
#include <limits>

#include "common/simulator/ptx/parser.hpp"
#include "common/testing/catch.hpp"
#include "reading.hpp"

using namespace warpwise::simulator::ptx;
using namespace warpwise::simulator::ptx::testing;
using warpwise::testing::ContainsSubstring;

// ---- Tokens

namespace {

/// The only one of `text`.
Token token_of(std::string_view text) {
  Lexer lexer(text, "t");
  const Token token = lexer.take();
  CHECK(lexer.peek().kind == Token::Kind::end);
  return token;
}

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

}  // namespace

TEST_CASE("integers are read in every base") {
  CHECK(token_of("42").bits == 42);
  CHECK(token_of("0x1F").bits == 31);
  CHECK(token_of("0XfF").bits == 255);
  CHECK(token_of("017").bits == 15);
  CHECK(token_of("0").bits == 0);
  CHECK(token_of("0b101").bits == 5);
  CHECK(token_of("18446744073709551615").bits == ~std::uint64_t{0});
  CHECK(token_of("18446744073709551615").is_unsigned);
  CHECK(token_of("7U").is_unsigned);
  CHECK_FALSE(token_of("7").is_unsigned);
}

TEST_CASE("floating-point numbers become the bits of a double") {
  CHECK(token_of("0f3F800000").bits == bits_of(1.0));
  CHECK(token_of("0F7f800000").bits == bits_of(std::numeric_limits<double>::infinity()));
  CHECK(token_of("0d4000000000000000").bits == bits_of(2.0));
  CHECK(token_of("1.5").bits == bits_of(1.5));
  CHECK(token_of("1e-3").bits == bits_of(1e-3));
  CHECK(token_of("0f3F800000").kind == Token::Kind::real);
}

TEST_CASE("the payload of a NaN is kept, signalling or not") {
  CHECK(token_of("0f7FFFFFFF").bits == 0x7FFFFFFFE0000000u);
  CHECK(token_of("0fFF800001").bits == 0xFFF0000020000000u);
}

TEST_CASE("names, directives and strings are views without their marks") {
  CHECK(token_of("%r1").text == "%r1");
  CHECK(token_of("$L__BB0_2").is_identifier());
  CHECK(token_of(".shared::cta").is_directive("shared::cta"));
  CHECK(token_of(".2d").is_directive("2d"));
  CHECK(token_of("\"a \\\" b\"").text == "a \\\" b");
  CHECK(token_of("<<").is("<<"));
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

// ---- Variables

namespace {

Variable only(const std::string& text) {
  const Module module = read(text);
  REQUIRE(module.variables.size() == 1);
  return module.variables[0];
}

template <typename T>
std::vector<T> values(const Variable& variable) {
  std::vector<T> out(variable.initial.size() / sizeof(T));
  std::memcpy(out.data(), variable.initial.data(), variable.initial.size());
  return out;
}

}  // namespace

TEST_CASE("a variable has a space, a size and an alignment") {
  const Variable tile = only(".shared .align 16 .b8 tile[1024];");
  CHECK(tile.space == Space::shared);
  CHECK(tile.bytes == 1024);
  CHECK(tile.align == 16);
  CHECK(tile.initial.empty());
  const Variable vector = only(".global .v4 .f32 v[2];");
  CHECK(vector.bytes == 32);
  CHECK(vector.align == 16);
  CHECK(only(".const .f64 m[2][3][4];").bytes == 192);
  CHECK(only(".const .f64 m;").space == Space::constant);
}

TEST_CASE("the size of dynamic shared memory is the launch's") {
  const Variable dynamic = only(".extern .shared .align 4 .b8 s[];");
  CHECK(dynamic.is_extern);
  CHECK(dynamic.bytes == 0);
}

TEST_CASE("one directive may declare several variables") {
  const Module module = read(".global .u16 a, b[3], c;");
  REQUIRE(module.variables.size() == 3);
  CHECK(module.variables[1].bytes == 6);
  CHECK(module.variables[2].bytes == 2);
}

TEST_CASE("initial values are laid out little-endian, and what is missing is zero") {
  CHECK(only(".global .b8 s[4] = {72, 0x69, -1};").initial == std::vector<std::uint8_t>{72, 105, 255, 0});
  CHECK(values<std::uint16_t>(only(".global .u16 x = 0x1234;")) == std::vector<std::uint16_t>{0x1234});
  CHECK(values<float>(only(".const .f32 f[3] = {0f3F800000, 2.5, -3};")) == std::vector<float>{1, 2.5, -3});
  CHECK(values<double>(only(".const .f64 d = 0d4008000000000000;")) == std::vector<double>{3});
  CHECK(values<std::uint32_t>(only(".const .b32 f = 0f7F800001;")) == std::vector<std::uint32_t>{0x7F800001});
}

TEST_CASE("rows of initial values fill rows of the array") {
  const auto matrix = values<int>(only(".global .s32 m[2][3] = {{1}, {2, 3, 4}};"));
  CHECK(matrix == std::vector<int>{1, 0, 0, 2, 3, 4});
  CHECK(values<int>(only(".global .s32 m[2][2] = {1, 2, 3, 4};")) == std::vector<int>{1, 2, 3, 4});
  CHECK(values<int>(only(".global .s32 m[][2] = {{1, 2}, {3, 4}, {5}};")) ==
        std::vector<int>{1, 2, 3, 4, 5, 0});
  CHECK(values<int>(only(".global .v2 .s32 m[2] = {{1, 2}, {3, 4}};")) == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("constant expressions follow C") {
  const auto value = [](const std::string& text) {
    return values<std::int64_t>(only(".global .s64 x = " + text + ";")).at(0);
  };
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("-7 / 2") == -3);
  CHECK(value("-7 % 4") == -3);
  CHECK(value("-8 >> 1") == -4);
  CHECK(value("1 << 4 | 3") == 19);
  CHECK(value("~0 & 0xFF ^ 1") == 254);
  CHECK(value("2 < 3 && 3 >= 3") == 1);
  CHECK(value("-1 < 1U") == 0);
  CHECK(value("0 ? 5 : 6") == 6);
  CHECK(value("(.u64)-1 / 2") == 0x7FFFFFFFFFFFFFFF);
  CHECK(value("(-9223372036854775807 - 1) / -1") == std::numeric_limits<std::int64_t>::min());
  CHECK(value("!WARP_SZ + WARP_SZ") == 32);
}

TEST_CASE("addresses in initial values become relocations") {
  const Module module = read(".global .u32 t[4];\n.global .u64 p[4] = {t, t+8, generic(t), generic(t)+4};");
  const std::vector<Relocation>& found = module.variables[1].relocations;
  REQUIRE(found.size() == 4);
  CHECK(found[0].symbol == "t");
  CHECK(found[1].addend == 8);
  CHECK(found[1].offset == 8);
  CHECK(found[2].is_generic);
  CHECK(found[3].addend == 4);
  CHECK(found[3].bytes == 8);
  CHECK_FALSE(found[0].is_generic);
}

TEST_CASE("a definition takes the place of its announcement") {
  const Module module = read(".extern .global .u32 x;\n.global .u32 x = 7;\n.extern .global .u32 x;");
  REQUIRE(module.variables.size() == 1);
  CHECK_FALSE(module.variables[0].is_extern);
  CHECK(module.variables[0].initial.size() == 4);
}

TEST_CASE("variables of a function name their owner and may share names with others") {
  const Module module = read(
      ".shared .b32 s;\n.entry a() { .reg .b32 r; .shared .b32 s[2]; mov.u32 r, s; }\n"
      ".entry b() { .reg .b32 r; .shared .b32 s[3]; { .shared .b32 s[4]; mov.u32 r, s; } mov.u32 r, s+4; }");
  REQUIRE(module.variables.size() == 4);
  CHECK(module.variables[0].function.empty());
  CHECK(module.variables[1].function == "a");
  CHECK(module.variables[2].function == "b");
  CHECK(module.functions[0].code[0].operands[1].variable == 1);
  CHECK(module.functions[1].code[0].operands[1].variable == 3);
  CHECK(module.functions[1].code[1].operands[1].variable == 2);
  CHECK(module.functions[1].code[1].operands[1].offset == 4);
}

TEST_CASE("variables that cannot be are errors") {
  struct Case {
    const char* text;
    const char* message;
  };
  const auto each = GENERATE(Catch::Generators::values<Case>({
      {".global .b8 x[2000000000];", "larger than 1 GiB"},
      {".global .b64 x[1000000][1000000];", "larger than 1 GiB"},
      {".global .b8 x[100000000] = {1};", "64 MiB"},
      {".global .b8 x[][60000000] = {{1}, {2}};", "64 MiB"},
      {".global .align 3 .b8 x;", "power of two"},
      {".global .b8 x[];", "size or an initialiser"},
      {".global .b8 x[2] = {1, 2, 3};", "more values than places"},
      {".global .b8 x[2] = {{1}, 2};", "no more dimensions"},
      {".global .b8 x[2] = 1;", "expected '{'"},
      {".global .b8 x[2] = {1 2};", "expected ','"},
      {".global .u8 x = 1.5;", "expected an integer"},
      {".global .u32 x = 1 / 0;", "divides by zero"},
      {".global .u64 x = nothing;", "nothing declares"},
      {".global .b8 x = x;", "4 or 8 bytes"},
      {".global .u64 y;\n.global .u64 x[8] = {0xFF(y)};", "masked"},
      {".shared .u32 x = 1;", "only .global and .const"},
      {".global .pred x;", "predicate"},
      {".global .u32 x;\n.global .u32 x;", "second time"},
      {".global .u32 .u32 x;", "one type"},
      {".global x;", "expected a type"},
      {".global .u32 x", "expected ';'"},
      {".texref .u64 x;", "expected a directive of a module"},
  }));
  CAPTURE(each.text);
  CHECK_THAT(error_of(each.text).what(), ContainsSubstring(each.message));
}
