#include "models/import/tvm/ir/libllvm.hpp"

#include "models/import/tvm/files/shared_library.hpp"

namespace detent::models::tvm {

LibLlvm load_libllvm(const char* file) {
  constexpr const char* kRemedy = "; install the package libllvm19, which reads what clang-19 makes of C";
  void* library = open_library(file, kRemedy);
  LibLlvm loaded;
#define DETENT_LIBLLVM_FIND(name, ...) \
  loaded.name = reinterpret_cast<decltype(loaded.name)>(find_function(library, file, "LLVM" #name, kRemedy));
  DETENT_LIBLLVM_FUNCTIONS(DETENT_LIBLLVM_FIND)
#undef DETENT_LIBLLVM_FIND
  return loaded;
}

const LibLlvm& libllvm() {
  static const LibLlvm loaded = load_libllvm("libLLVM.so.19.1");
  return loaded;
}

}  // namespace detent::models::tvm
