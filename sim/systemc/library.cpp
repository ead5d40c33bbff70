#include "sim/systemc/library.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace detent::sim {
namespace {

[[noreturn]] void refuse(const char* file, const std::string& what) {
  throw std::runtime_error(std::string(file) + ": " + what +
                           "; install the program whole (cmake --install) together with the package libsystemc");
}

}  // namespace

const ScLibrary& load_sc_library(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(file, std::string("cannot be loaded: ") + dlerror());
  const void* table = dlsym(library, "detent_sc_library");
  if (table == nullptr) refuse(file, "has no detent_sc_library");
  return *static_cast<const ScLibrary*>(table);
}

const ScLibrary& sc_library() {
  static const ScLibrary& library = load_sc_library("detent_systemc.so");
  return library;
}

std::string sc_library_path() {
  const ScLibrary& library = sc_library();
  Dl_info place{};
  return dladdr(&library, &place) != 0 && place.dli_fname != nullptr ? place.dli_fname : "";
}

}  // namespace detent::sim
