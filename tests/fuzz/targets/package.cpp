// Packages, as they are and with checksums made to fit, without which no changed byte would get past them.
#include "models/files/package.hpp"

#include "tests/fuzz/checksums.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

void read(const std::string& bytes) {
  static_cast<void>(models::is_package(bytes));
  models::Model model;
  if (!accepts([&] { model = models::decode_package(bytes, kInputName); })) return;
  const std::string text = models::encode_package(model);
  require(models::encode_package(models::decode_package(text, "again")) == text,
          "a package that was written reads alike");
}

}  // namespace

void package_target(std::string_view input) {
  read(std::string(input));
  read(repaired_package(input));
}

}  // namespace detent::fuzz
