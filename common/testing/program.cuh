#pragma once
/// \file For a .cu file of several programs (annotated_program.hpp): its main runs the one that its argument
/// names. nvcc reads every header three times: here are only C's.

#include <cstdio>
#include <cstdlib>
#include <cstring>

/// What main runs where its argument is `name`. Each program is one, in a namespace of that name.
class Program {
 public:
  explicit Program(const char* name, int (*program)() = nullptr)
      : name_(name), program_(program), next_(first()) {
    for (const Program* each = next_; each != nullptr; each = each->next_) {
      if (std::strcmp(each->name_, name) != 0) continue;
      std::fprintf(stderr, "two programs are called %s\n", name);
      std::exit(2);
    }
    first() = this;
  }
  Program(const Program&) = delete;  // the next one knows where it is

  /// The program's exit status; 2 where there is no program of that name.
  static int run(const char* name) {
    for (const Program* each = first(); each != nullptr; each = each->next_)
      if (std::strcmp(each->name_, name) == 0) return each->start();
    std::fprintf(stderr, "which program?");
    for (const Program* each = first(); each != nullptr; each = each->next_)
      std::fprintf(stderr, " %s", each->name_);
    std::fprintf(stderr, "\n");
    return 2;
  }

 private:
  virtual int start() const { return program_(); }
  static const Program*& first() {
    static const Program* the_first = nullptr;
    return the_first;
  }

  const char* name_;
  int (*program_)();
  const Program* next_;
};

int main(int count, char** words) { return Program::run(count == 2 ? words[1] : ""); }
