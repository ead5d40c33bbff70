// Digests of whole answers, kept in golden files: what answers become different is seen, by name and command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace detent::e2e {

/// Exit code, output, error, and the files that were written of `outputs`: files, or directories, whose files count but
/// none of directories in them. They are removed before.
std::string whole_answer(const std::string& arguments, const std::vector<std::string>& outputs);

/// One answer: a name of its own in its file, and the arguments that were given.
struct Digested {
  std::string name, arguments, said;
};

/// The answers' digests are those of the golden file `file` in tests/e2e/random/golden; each one that is not fails the
/// test, as does a name that is missing. DETENT_WRITE_GOLDEN=1 writes the file.
void expect_digests(const std::string& file, const std::vector<Digested>& answers);

}  // namespace detent::e2e
