#include "tables.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "terminal.hpp"

namespace warpwise::print {
namespace {

std::string padded(const std::string& cell, std::size_t width, bool is_left) {
  if (!is_left) return flush_right(cell, width);
  return cell + std::string(width - std::min(width, columns_of(cell)), ' ');
}

}  // namespace

void Table::add_row(std::vector<std::string> cells) {
  if (cells.size() > header_.size())
    throw std::invalid_argument("a row has more cells than the table columns");
  cells.resize(header_.size());
  rows_.push_back({{}, std::move(cells)});
}

void Table::add_heading(std::string text) { rows_.push_back({std::move(text), {}}); }

std::string Table::text(const std::string& indent) const {
  std::vector<std::size_t> width(header_.size(), 0);
  for (std::size_t column = 0; column < header_.size(); ++column) {
    for (const Row& row : rows_) {
      if (row.heading.empty()) width[column] = std::max(width[column], columns_of(row.cells[column]));
    }
    if (width[column] != 0) width[column] = std::max(width[column], columns_of(header_[column]));
  }

  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = indent;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (width[column] == 0) continue;
      if (text.size() > indent.size()) text += "  ";
      text += padded(cells[column], width[column], column < left_columns_);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };

  std::string text = line(header_);
  for (const Row& row : rows_) {
    if (!row.heading.empty()) {
      text += "\n" + indent + row.heading + "\n";
    } else {
      text += line(row.cells);
    }
  }
  return text;
}

std::string grouped(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string rounded(double value) {
  std::array<char, 64> text{};
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

}  // namespace warpwise::print
