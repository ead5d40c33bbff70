// ElfImports: section headers -> .dynsym -> undefined names. Nothing in the file is trusted.
#include "harness/module/elf_imports.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace detent::harness {
namespace {

/// A struct at an offset of the file, if it lies inside.
template <typename T>
std::optional<T> read_at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::string_view bytes_of(std::string_view file, const Elf64_Shdr& section) {
  if (section.sh_offset > file.size() || file.size() - section.sh_offset < section.sh_size) return {};
  return file.substr(section.sh_offset, section.sh_size);
}

std::string name_at(std::string_view names, std::uint64_t offset) {
  if (offset >= names.size()) return "";
  const std::string_view rest = names.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

void add_undefined(std::string_view symbols, std::string_view names, std::vector<std::string>& imports) {
  for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    const Elf64_Sym symbol = *read_at<Elf64_Sym>(symbols, at);
    if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_WEAK) continue;
    if (std::string name = name_at(names, symbol.st_name); !name.empty()) imports.push_back(std::move(name));
  }
}

}  // namespace

std::vector<std::string> elf_imports(std::string_view file) {
  const std::optional<Elf64_Ehdr> header = read_at<Elf64_Ehdr>(file, 0);
  const bool is_elf = header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                      header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB;
  if (!is_elf) return {};
  std::vector<std::string> imports;
  const auto section_at = [&](std::uint64_t index) {
    return read_at<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const std::optional<Elf64_Shdr> section = section_at(i);
    if (!section || section->sh_type != SHT_DYNSYM) continue;
    const std::optional<Elf64_Shdr> names = section_at(section->sh_link);
    if (names) add_undefined(bytes_of(file, *section), bytes_of(file, *names), imports);
  }
  std::ranges::sort(imports);
  return imports;
}

}  // namespace detent::harness
