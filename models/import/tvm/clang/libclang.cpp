#include "models/import/tvm/clang/libclang.hpp"

#include "models/import/tvm/files/shared_library.hpp"

namespace detent::models::tvm {

LibClang load_libclang(const char* file) {
  constexpr const char* kRemedy = "; install the package libclang1-19, which reads C files";
  void* library = open_library(file, kRemedy);
  LibClang loaded;
#define DETENT_LIBCLANG_FIND(name) \
  loaded.name = reinterpret_cast<decltype(loaded.name)>(find_function(library, file, "clang_" #name, kRemedy));
  DETENT_LIBCLANG_FUNCTIONS(DETENT_LIBCLANG_FIND)
#undef DETENT_LIBCLANG_FIND
  return loaded;
}

const LibClang& libclang() {
  static const LibClang loaded = load_libclang(DETENT_LIBCLANG);
  return loaded;
}

}  // namespace detent::models::tvm
