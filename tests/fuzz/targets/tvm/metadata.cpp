// metadata.json of an artifact.
#include "models/import/tvm/artifact/parts.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void metadata_target(std::string_view input) {
  std::string version;
  models::tvm::Interface found;
  if (!accepts([&] { found = models::tvm::interface_of_json(std::string(input), kInputName, "default", version); })) {
    return;
  }
  require(!found.ordered, "keys of JSON have no order");
  require(found.pools.size() <= input.size(), "no more pools than the file has entries");
}

}  // namespace detent::fuzz
