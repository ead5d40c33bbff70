// One file of an emitted firmware directory.
#pragma once

#include <string>

namespace detent::models {

/// One file of the directory. `path` is relative to it, with '/' and no "..".
struct EmittedFile {
  std::string path;
  std::string text;
};

}  // namespace detent::models
