#include "contract.hpp"

#include <algorithm>
#include <vector>

#include "files.hpp"

namespace warpwise::text {

namespace {

constexpr std::string_view declaration_start = "WARPWISE_KERNEL(";

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_comment(std::string_view line) { return line.starts_with("//"); }

/// What stands in a line of a comment, without its marks.
std::string_view words_of(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of("/- "), line.size()));
  return line;
}

/// The comment that ends right above line `end`, as one line of text.
std::string comment_above(const std::vector<std::string_view>& lines, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_comment(lines[begin - 1])) --begin;
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (!text.empty()) text += ' ';
    text += words_of(lines[i]);
  }
  return text;
}

/// From line `begin` to the one that ends in a semicolon.
std::string declaration_at(const std::vector<std::string_view>& lines, std::size_t begin) {
  std::string text;
  for (std::size_t i = begin; i < lines.size(); ++i) {
    if (!text.empty()) text += ' ';
    text += lines[i].substr(std::min(lines[i].find_first_not_of(' '), lines[i].size()));
    if (text.ends_with(';')) break;
  }
  return text;
}

/// Behind "Technique:" or "Technique of the four:", up to where a book is named.
std::string technique_in(const std::string& comment) {
  const std::size_t word = comment.find("Technique");
  const std::size_t colon = word == comment.npos ? word : comment.find(": ", word);
  if (colon == comment.npos) return {};
  const std::size_t begin = colon + 2;
  std::string technique = comment.substr(begin, comment.find(" Book:", begin) - begin);
  while (technique.ends_with(' ')) technique.pop_back();
  return technique;
}

Contract contract_at(const std::vector<std::string_view>& lines, std::size_t place) {
  std::string_view name = lines[place].substr(declaration_start.size());
  Contract contract{std::string(name.substr(0, name.find(','))), static_cast<unsigned>(place) + 1,
                    declaration_at(lines, place), technique_in(comment_above(lines, place))};
  // A group's comment is none of the documentation of one declaration (`///`).
  for (std::size_t end = place; end > 0 && contract.technique.empty(); --end) {
    const std::string_view last = lines[end - 1];
    if (is_comment(last) && !last.starts_with("///"))
      contract.technique = technique_in(comment_above(lines, end));
  }
  return contract;
}

}  // namespace

std::vector<Contract> contracts_in(std::string_view text) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::vector<Contract> contracts;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].starts_with(declaration_start)) contracts.push_back(contract_at(lines, i));
  return contracts;
}

std::vector<Contract> read_contracts(const std::string& path) { return contracts_in(text_or_nothing(path)); }

Contract contract_of(const std::vector<Contract>& contracts, std::string_view kernel) {
  const auto found = std::find_if(contracts.begin(), contracts.end(),
                                  [&](const Contract& contract) { return contract.kernel == kernel; });
  return found == contracts.end() ? Contract{} : *found;
}

std::string signature_advice(std::string_view messages, const std::vector<Contract>& contracts,
                             const std::string& path) {
  for (const std::string_view complaint :
       {"has \"C\" linkage", "distinguished by return type alone", "is incompatible with"}) {
    const std::size_t at = messages.find(complaint);
    if (at == messages.npos) continue;
    // The kernel is named in the complaint, or in the line of code below it.
    const std::size_t line = messages.rfind('\n', at) + 1;  // 0 if there is none
    const std::string_view message = messages.substr(line, messages.find("\n\n", at) - line);
    for (const Contract& declared : contracts) {
      if (message.find("\"" + declared.kernel + "\"") == message.npos &&
          message.find(" " + declared.kernel + "(") == message.npos)
        continue;
      return "The signature of " + declared.kernel + " is not that of the contract, " + path + ":" +
             std::to_string(declared.line) + ":\n  " + declared.declaration + "\n";
    }
  }
  return {};
}

}  // namespace warpwise::text
