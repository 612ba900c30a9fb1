/// \file The command line of `exec` is that of nvcc with a few options of our own, so it is read by hand.

#include <algorithm>
#include <array>
#include <filesystem>

#include "../compile/compile.hpp"
#include "../print/recorded_run.hpp"
#include "../simulator/launch.hpp"
#include "build.hpp"
#include "exec.hpp"
#include "nvcc_words.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

bool starts_with_any(const std::string& word, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return word == name || (word.starts_with(name) && word.substr(name.size(), 1) == "=");
  });
}

/// The words one by one, and the values of options: the rest of the word after '=' or the word that follows.
class ExecWords {
 public:
  explicit ExecWords(const std::vector<std::string>& words) : words_(words) {}
  bool has_more() const { return at_ < words_.size(); }
  const std::string& take() { return words_[at_++]; }
  std::string value_of(const std::string& word) {
    if (const std::size_t at = word.find('='); at != word.npos) return word.substr(at + 1);
    if (!has_more()) throw Failure("exec: the option " + word + " needs a value.", wrong_usage);
    return take();
  }

 private:
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
};

std::string positive(const std::string& option, const std::string& value) {
  const bool is_number =
      !value.empty() && value.size() < 19 && value.find_first_not_of("0123456789") == value.npos;
  if (!is_number || value.find_first_not_of('0') == value.npos)
    throw Failure("exec: " + option + " '" + value + "' is not a positive number.", wrong_usage);
  return value;
}

constexpr std::array own_options = {"--report",   "--sarif",  "--junit",    "--show",    "--text",
                                    "--svg",      "--output", "--at",       "--time",    "--warp",
                                    "--of-block", "--trace",  "--schedule", "--threads", "--budget",
                                    "--strict",   "--quiet"};

/// One letter away from an option of ours, and nvcc's own options are further away from them: would nvcc be
/// given it, it would take the value after it for a source. Throws Failure.
void refuse_misspelled(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  for (const char* own : own_options)
    if (edit_distance(name, own) == 1)
      throw Failure("exec: there is no option " + name + "; did you mean " + own + "?", wrong_usage);
}

std::uint64_t number(const std::string& option, const std::string& value) {
  const bool is_number =
      !value.empty() && value.size() < 10 && value.find_first_not_of("0123456789") == value.npos;
  if (!is_number) throw Failure("exec: " + option + " '" + value + "' is not a number.", wrong_usage);
  return std::stoull(value);
}

std::string view_named(const std::string& name) {
  std::vector<std::string> views = print::view_names();
  std::erase(views, "beside");  // there is one run
  if (std::find(views.begin(), views.end(), name) == views.end())
    throw Failure("exec: --svg has no view '" + name + "'" + suggestion(name, views) + ".", wrong_usage);
  return name;
}

/// True if `word` is an option that says what is drawn, and how.
bool take_drawing_option(const std::string& word, ExecWords& words, ExecRequest& request) {
  if (word == "--text") {
    request.drawing.is_text = true;
  } else if (starts_with_any(word, {"--svg"})) {
    request.drawing.view = view_named(words.value_of(word));
  } else if (starts_with_any(word, {"--output"})) {
    request.drawing.output = words.value_of(word);
  } else if (starts_with_any(word, {"--at"})) {
    request.drawing.moment.place = words.value_of(word);
  } else if (starts_with_any(word, {"--time"})) {
    request.drawing.moment.times = {static_cast<std::uint32_t>(number("--time", words.value_of(word)))};
  } else if (starts_with_any(word, {"--warp"})) {
    request.drawing.moment.warp = static_cast<std::uint32_t>(number("--warp", words.value_of(word)));
  } else if (starts_with_any(word, {"--of-block"})) {
    request.drawing.moment.block = number("--of-block", words.value_of(word));
  } else if (word != "--show") {
    return false;
  }
  request.is_shown = true;
  return true;
}

/// True if `word` is one of our own options.
bool take_own_option(const std::string& word, ExecWords& words, ExecRequest& request) {
  if (take_drawing_option(word, words, request)) return true;
  if (starts_with_any(word, {"--report"})) {
    request.report = words.value_of(word);
  } else if (starts_with_any(word, {"--sarif"})) {
    request.sarif = words.value_of(word);
  } else if (starts_with_any(word, {"--junit"})) {
    request.junit = words.value_of(word);
  } else if (starts_with_any(word, {"--trace"})) {
    request.trace = words.value_of(word);
  } else if (starts_with_any(word, {"--schedule"})) {
    request.schedule = words.value_of(word);
    try {
      simulator::Schedule::parse(request.schedule);
    } catch (const std::invalid_argument& error) {
      throw Failure(std::string("exec: ") + error.what(), wrong_usage);
    }
  } else if (starts_with_any(word, {"--threads"})) {
    request.threads = positive("--threads", words.value_of(word));
  } else if (starts_with_any(word, {"--budget"})) {
    request.budget = positive("--budget", words.value_of(word));
  } else if (word == "--strict") {
    request.is_strict = true;
  } else if (word == "--quiet") {
    request.is_quiet = true;
  } else {
    return false;
  }
  return true;
}

/// True if `word` is an option of nvcc that decides what exec decides itself.
bool take_device_option(const std::string& word, ExecWords& words, ExecRequest& request) {
  if (starts_with_any(word, {"-arch", "--gpu-architecture"})) {
    request.nvcc_options.push_back("-arch=" + virtual_architecture(words.value_of(word)));
  } else if (starts_with_any(word, {"-gencode", "--generate-code", "-code", "--gpu-code"})) {
    const std::string value = words.value_of(word);
    const std::size_t at = value.find("arch=");
    const std::string arch = at == value.npos ? value : value.substr(at + 5, value.find(',', at) - at - 5);
    request.nvcc_options.push_back("-arch=" + virtual_architecture(arch));
  } else if (starts_with_any(word, {"-cudart", "--cudart"})) {
    words.value_of(word);
  } else if (starts_with_any(word, {"-rdc", "--relocatable-device-code"})) {
    if (words.value_of(word) == "true")
      throw Failure("exec: relocatable device code (-rdc=true) is not supported by the simulated GPU.",
                    wrong_usage);
  } else if (word == "-dc" || word == "-dlink" || word == "--device-c" || word == "--device-link") {
    throw Failure("exec: relocatable device code (" + word + ") is not supported by the simulated GPU.",
                  wrong_usage);
  } else if (starts_with_any(word, {"-o", "--output-file"})) {
    words.value_of(word);  // the program is run and forgotten
  } else {
    return word == "-G" || word == "--device-debug" || word == "-g" || word == "-lcudart" ||
           word == "-lcudart_static" || word == "-lineinfo";
  }
  return true;
}

}  // namespace

ExecRequest read_exec_request(const std::vector<std::string>& given) {
  ExecRequest request;
  ExecWords words(given);
  while (words.has_more()) {
    const std::string& word = words.take();
    if (word == "--") {
      while (words.has_more()) request.arguments.push_back(words.take());
    } else if (word == "-c" || word == "--compile" || word == "-ptx" || word == "--ptx" || word == "-E") {
      throw Failure("exec: " + word + " makes no program that could be run.", wrong_usage);
    } else if (take_own_option(word, words, request) || take_device_option(word, words, request)) {
      continue;
    } else if (!word.starts_with('-')) {
      if (!fs::exists(word)) throw Failure("exec: there is no file '" + word + "'.", wrong_usage);
      if (fs::is_directory(word))
        throw Failure("exec: '" + word + "' is a folder, not a program.", wrong_usage);
      request.inputs.push_back(word);
    } else {
      refuse_misspelled(word);
      request.nvcc_options.push_back(word);
      if (takes_next_word(word)) request.nvcc_options.push_back(words.value_of(word));
    }
  }
  if (request.inputs.empty())
    throw Failure("exec: which program? (./warpwise exec FILE.cu... [nvcc options] [-- ARGS])", wrong_usage);
  // The last -arch wins, as with nvcc several would each embed PTX: the simulated GPU runs one.
  const auto is_arch = [](const std::string& option) { return option.starts_with("-arch="); };
  auto& options = request.nvcc_options;
  const auto last = std::find_if(options.rbegin(), options.rend(), is_arch);
  const std::string arch =
      last == options.rend() ? std::string("-arch=") + compile::usual_architecture : *last;
  std::erase_if(options, is_arch);
  options.push_back(arch);
  return request;
}

}  // namespace warpwise::cli
