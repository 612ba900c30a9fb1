#pragma once
/// \file What a chapter lacks to be one of the course: the files, and for each kernel its skeleton, its
/// solution, checks of result, technique and safety, three hints, an attempt, another right way to write it,
/// and a word in the lesson. It reads the files as text, and runs nothing: whether the checks are good is
/// what the tests of the chapter say.

#include <filesystem>
#include <string>
#include <vector>

namespace warpwise::course {

/// One sentence for each thing that the chapter in the folder `chapter` lacks: "hints.md has 1 hint for
/// stencil, not 3." Empty where it lacks nothing. Kernels that are judged as a family (Exhibit::family) need
/// what the others need once.
std::vector<std::string> what_it_lacks(const std::filesystem::path& chapter);

}  // namespace warpwise::course
