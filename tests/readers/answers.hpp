// Readers of files -> all that each of them says of some bytes.
#pragma once

#include <string>
#include <vector>

namespace detent::readers {

struct Reader {
  const char* name;  ///< folder of tests/fuzz/corpus, but for "model"
  bool is_text;      ///< else bytes
  /// What was read, written down whole, or "refused: ...". Nothing in it tells one machine from another.
  std::string (*answer)(const std::string& input);
};
const std::vector<Reader>& all_readers();

}  // namespace detent::readers
