// The instructor's commands, where this is a student's repository.

#include "commands.hpp"
#include "failure.hpp"

namespace warpwise::cli {

int handout(const HandoutOptions&) {
  throw Failure("this is a handout: `handout` works in a clone of the course, from which this was made.",
                wrong_usage);
}

int new_chapter(const NewChapterOptions&) {
  throw Failure("this is a handout: `new-chapter` works in a clone of the course, from which this was made.",
                wrong_usage);
}

int grade(const GradeOptions&) {
  throw Failure("this is a handout: `grade` works in a clone of the course, from which this was made.",
                wrong_usage);
}

}  // namespace warpwise::cli
