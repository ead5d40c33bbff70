#include "models/import/tvm/files/shared_library.hpp"

#include <dlfcn.h>

namespace detent::models::tvm {

void* open_library(const char* file, const char* remedy) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw InputError(file, "", std::string("cannot be loaded: ") + dlerror() + remedy);
  return library;
}

void* find_function(void* library, const char* file, const std::string& name, const char* remedy) {
  void* function = dlsym(library, name.c_str());
  if (function == nullptr) throw InputError(file, "", "has no function " + name + remedy);
  return function;
}

}  // namespace detent::models::tvm
