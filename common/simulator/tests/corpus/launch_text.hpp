#pragma once
/// \file What a program of the corpus launches its kernel with. The program itself reads it, and the tests
/// that launch its module:
///
///     "grid=4 block=16x16 shared=1024 cooperative=yes args=in:f32[9]:random,in,n:u32:9"
///
/// An argument is a new buffer `name:type[count]:content`, a scalar `name:type:value` of a whole-number type,
/// or the name of an earlier buffer. A type is u8, u16, u32, s32, u64, f32 or f64. A buffer's content is
///
///     random, iota, zero   these values
///     poison               as cudaMalloc gives it
///     freed                was allocated, and is no longer
///     null                 never was

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace corpus {

struct Argument {
  enum class Kind { buffer, earlier_buffer, scalar };
  Kind kind = Kind::earlier_buffer;
  std::string name, type;
  std::size_t count = 0;    ///< elements of a buffer
  std::string content;      ///< of a buffer
  std::uint64_t value = 0;  ///< of a scalar
};

struct LaunchText {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t shared_bytes = 0;
  bool is_cooperative = false;
  std::vector<Argument> arguments;
};

/// An empty text is one empty part.
inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(separator, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string::npos) return parts;
    from = to + 1;
  }
}

/// Calls `use` with a value of the type that `name` names. Throws std::runtime_error for another.
template <class Use>
auto with_type(const std::string& name, const Use& use) {
  if (name == "u8") return use(std::uint8_t());
  if (name == "u16") return use(std::uint16_t());
  if (name == "u32") return use(std::uint32_t());
  if (name == "s32") return use(std::int32_t());
  if (name == "u64") return use(std::uint64_t());
  if (name == "f32") return use(float());
  if (name == "f64") return use(double());
  throw std::runtime_error("no such type: " + name);
}

inline std::size_t bytes_of_type(const std::string& name) {
  return with_type(name, [](auto value) { return sizeof value; });
}

[[noreturn]] inline void refuse(const std::string& what, const std::string& text) {
  throw std::runtime_error("no such " + what + ": " + text);
}

/// A whole number, all of `text`, from `least` to `most`.
inline long long read_number(const std::string& text, long long least = 0, long long most = 0xFFFFFFFF) {
  const std::size_t sign = text.rfind('-', 0) == 0;
  if (text.size() == sign || text.size() > 18 ||
      text.find_first_not_of("0123456789", sign) != std::string::npos)
    refuse("number", text);
  const long long number = std::stoll(text);
  if (number < least || number > most) refuse("number here", text);
  return number;
}

inline void read_dim(unsigned (&dim)[3], const std::string& sizes) {
  const std::vector<std::string> parts = split(sizes, 'x');
  if (parts.empty() || parts.size() > 3) refuse("size", sizes);
  for (std::size_t i = 0; i < parts.size(); ++i) dim[i] = static_cast<unsigned>(read_number(parts[i]));
}

inline Argument read_argument(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.empty() || parts[0].empty() || parts.size() == 2 || parts.size() > 3) refuse("argument", text);
  Argument argument;
  argument.name = parts[0];
  if (parts.size() == 1) return argument;
  const std::size_t bracket = parts[1].find('[');
  argument.type = parts[1].substr(0, bracket);
  bytes_of_type(argument.type);
  if (bracket == std::string::npos) {
    if (argument.type[0] == 'f') refuse("type of a scalar", argument.type);
    argument.kind = Argument::Kind::scalar;
    const bool has_sign = argument.type[0] == 's';
    const long long most = argument.type == "u8" ? 0xFF : argument.type == "u16" ? 0xFFFF : 0x7FFFFFFF;
    argument.value = static_cast<std::uint64_t>(read_number(parts[2], has_sign ? -most - 1 : 0, most));
    return argument;
  }
  argument.kind = Argument::Kind::buffer;
  if (parts[1].back() != ']') refuse("argument", text);
  argument.count =
      static_cast<std::size_t>(read_number(parts[1].substr(bracket + 1, parts[1].size() - bracket - 2)));
  argument.content = parts[2];
  for (const char* known : {"random", "iota", "zero", "poison", "freed", "null"})
    if (argument.content == known) return argument;
  refuse("content", argument.content);
}

/// Throws std::runtime_error, with the word, for a text that is not as above.
inline LaunchText read_launch(const std::string& text) {
  LaunchText launch;
  for (const std::string& word : split(text, ' ')) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) refuse("word in a launch", word);
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "grid")
      read_dim(launch.grid, value);
    else if (key == "block")
      read_dim(launch.block, value);
    else if (key == "shared")
      launch.shared_bytes = static_cast<std::uint32_t>(read_number(value));
    else if (word == "cooperative=yes")
      launch.is_cooperative = true;
    else if (key == "args")
      for (const std::string& argument : split(value, ','))
        launch.arguments.push_back(read_argument(argument));
    else
      refuse("word in a launch", word);
  }
  for (const Argument& argument : launch.arguments)
    for (const Argument& other : launch.arguments)
      if (&other != &argument && other.name == argument.name &&
          other.kind != Argument::Kind::earlier_buffer && argument.kind != Argument::Kind::earlier_buffer)
        throw std::runtime_error("two arguments are called " + argument.name);
  return launch;
}

/// Small values that depend on their place, so that sums of a few thousand stay exact in a float.
inline std::uint32_t random_word(std::uint32_t i) {
  i = (i + 1) * 0x9E3779B9u;
  i = (i ^ (i >> 16)) * 0x85EBCA6Bu;
  return (i ^ (i >> 13)) & 0xffffu;
}

/// The bytes of a buffer whose content is random, iota or zero.
inline std::vector<unsigned char> filled(const Argument& buffer) {
  return with_type(buffer.type, [&](auto of_type) {
    std::vector<unsigned char> bytes(buffer.count * sizeof of_type);
    for (std::size_t i = 0; i < buffer.count; ++i) {
      const auto place = static_cast<std::uint32_t>(i);
      const auto value = static_cast<decltype(of_type)>(buffer.content == "zero"   ? 0
                                                        : buffer.content == "iota" ? place
                                                                                   : random_word(place));
      std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
    return bytes;
  });
}

}  // namespace corpus
