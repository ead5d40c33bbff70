#include "models/tvm/libclang.hpp"

#include <dlfcn.h>

#include <string>

#include "models/input_error.hpp"

namespace detent::models::tvm {
namespace {

constexpr const char* kLibclangRemedy = "; install the package libclang1-19, which reads C files";

template <typename Function>
void find_function(void* library, const char* file, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function == nullptr) throw InputError(file, "", std::string("has no function ") + name + kLibclangRemedy);
}

}  // namespace

LibClang load_libclang(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw InputError(file, "", std::string("cannot be loaded: ") + dlerror() + kLibclangRemedy);
  LibClang loaded;
#define DETENT_LIBCLANG_FIND(name) find_function(library, file, "clang_" #name, loaded.name);
  DETENT_LIBCLANG_FUNCTIONS(DETENT_LIBCLANG_FIND)
#undef DETENT_LIBCLANG_FIND
  return loaded;
}

const LibClang& libclang() {
  static const LibClang loaded = load_libclang(DETENT_LIBCLANG);
  return loaded;
}

}  // namespace detent::models::tvm
