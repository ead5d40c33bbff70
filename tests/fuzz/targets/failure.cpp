// Failure files, as they are and with a checksum made to fit.
#include <fmt/format.h>
#include <xxhash.h>

#include "app/replay/failure_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

/// The last row replaced by the checksum of what stands before it.
std::string repaired(std::string_view input) {
  const std::size_t row = input.rfind("checksum ");
  if (row == std::string_view::npos) return std::string(input);
  const std::string_view text = input.substr(0, row);
  return fmt::format("{}checksum {:016x}\n", text, XXH3_64bits(text.data(), text.size()));
}

void read(const std::string& text) {
  app::FailureRecord record;
  if (!accepts([&] { record = app::parse_failure(kInputName, text); })) return;
  require(app::format_failure(record) == text, "a record that was read is written alike");
  static_cast<void>(app::runnable_line(record));
}

}  // namespace

void failure_target(std::string_view input) {
  read(std::string(input));
  read(repaired(input));
}

}  // namespace detent::fuzz
