#include "models/import/tvm/files/libarchive.hpp"

#include "models/import/tvm/files/shared_library.hpp"

namespace detent::models::tvm {

LibArchive load_libarchive(const char* file) {
  constexpr const char* kRemedy = "; install the package libarchive13, which reads archives";
  void* library = open_library(file, kRemedy);
  LibArchive loaded;
#define DETENT_LIBARCHIVE_FIND(name) \
  loaded.name = reinterpret_cast<decltype(loaded.name)>(find_function(library, file, "archive_" #name, kRemedy));
  DETENT_LIBARCHIVE_FUNCTIONS(DETENT_LIBARCHIVE_FIND)
#undef DETENT_LIBARCHIVE_FIND
  return loaded;
}

const LibArchive& libarchive() {
  static const LibArchive loaded = load_libarchive(DETENT_LIBARCHIVE);
  return loaded;
}

}  // namespace detent::models::tvm
