// Failure files, as they are and with a checksum made to fit.
#include "app/replay/failure_file.hpp"
#include "tests/fuzz/checksums.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

void read(const std::string& text) {
  app::FailureRecord record;
  if (!accepts([&] { record = app::parse_failure(kInputName, text); })) return;
  require(app::format_failure(record) == text, "a record that was read is written alike");
  static_cast<void>(app::runnable_line(record));
}

}  // namespace

void failure_target(std::string_view input) {
  read(std::string(input));
  read(repaired_failure(input));
}

}  // namespace detent::fuzz
