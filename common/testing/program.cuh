#pragma once
/// \file For a .cu file of several programs (annotated_program.hpp): its main runs the one that its argument
/// names.

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>

/// What main runs where its argument is `name`. Each program is one, in a namespace of that name.
class Program {
 public:
  Program(const std::string& name, std::function<int()> run) {
    if (all().emplace(name, std::move(run)).second) return;
    std::fprintf(stderr, "two programs are called %s\n", name.c_str());
    std::exit(2);
  }

  /// The program's exit status; 2 where there is no program of that name.
  static int run(const std::string& name) {
    if (const auto found = all().find(name); found != all().end()) return found->second();
    std::fprintf(stderr, "which program?");
    for (const auto& [known, run] : all()) std::fprintf(stderr, " %s", known.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }

 private:
  static std::map<std::string, std::function<int()>>& all() {
    static std::map<std::string, std::function<int()>> programs;
    return programs;
  }
};

int main(int count, char** words) { return Program::run(count == 2 ? words[1] : ""); }
