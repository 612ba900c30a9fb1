#pragma once
/// \file For a .cu file of several programs (annotated_program.hpp): its main runs the one that its argument
/// names.

#include <cstdio>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

/// What main runs where its argument is `name`. Each program is one, in a namespace of that name.
class Program {
 public:
  Program(std::string_view name, std::function<int()> run) : name_(name), run_(std::move(run)) {
    all().push_back(this);
  }

  /// The program's exit status; 2 where there is no program of that name.
  static int run(std::string_view name) {
    for (const Program* program : all())
      if (program->name_ == name) return program->run_();
    std::fprintf(stderr, "which program?");
    for (const Program* program : all()) std::fprintf(stderr, " %s", program->name_.data());
    std::fprintf(stderr, "\n");
    return 2;
  }

 private:
  static std::vector<const Program*>& all() {
    static std::vector<const Program*> programs;
    return programs;
  }

  std::string_view name_;
  std::function<int()> run_;
};

int main(int count, char** words) { return Program::run(count == 2 ? words[1] : ""); }
