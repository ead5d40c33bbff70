// Archives: what is kept lies within the limits and inside of the archive.
#include "models/import/tvm/files/artifact_files.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void archive_target(std::string_view input) {
  using namespace models::tvm;
  const FileLimits limits{.max_file_bytes = 1U << 16,
                          .max_total_bytes = 1U << 18,
                          .max_entries = 64,
                          .archive_slack_bytes = 1U << 14,
                          .archive_ratio = 20,
                          .max_notes = 4,
                          .max_depth = 4};
  const MemoryFile file(input);
  ArtifactFiles files;
  bool is_archive = false;
  if (!accepts([&] { is_archive = load_archive(file.path(), limits, files); }, file.path())) return;
  require(is_archive || files.files.empty(), "nothing is kept of what is no archive");
  std::uint64_t total = 0;
  for (const ArtifactFile& kept : files.files) {
    require(is_wanted(kept.name) && !kept.name.starts_with("/"), "only what is of use");
    require(("/" + kept.name + "/").find("/../") == std::string::npos, "nothing outside");
    require(kept.text.size() <= limits.max_file_bytes, "no file above its limit");
    total += kept.text.size();
  }
  require(total <= limits.archive_slack_bytes + limits.archive_ratio * input.size(), "no more than the ratio allows");
  require(files.notes.size() <= 2 * (limits.max_notes + 1), "notes are bounded");
}

}  // namespace detent::fuzz
