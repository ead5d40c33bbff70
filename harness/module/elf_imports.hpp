// ElfImports: a shared object -> the names of the functions and variables that it takes from outside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace detent::harness {

/// Undefined symbols of the dynamic symbol table, sorted, without the weak ones that start-up code leaves open.
/// Empty for what is not a 64-bit little-endian ELF file or is damaged.
std::vector<std::string> elf_imports(std::string_view file);

}  // namespace detent::harness
