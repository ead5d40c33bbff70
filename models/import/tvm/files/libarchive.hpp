// libarchive's functions, loaded when the first archive is read: with the libraries that it needs itself it would cost
// every command more than a millisecond of start-up.
#pragma once

#include <archive.h>
#include <archive_entry.h>

namespace detent::models::tvm {

/// The functions used, by libarchive's own names without their prefix. Types come from its headers.
#define DETENT_LIBARCHIVE_FUNCTIONS(X) \
  X(entry_filetype)                    \
  X(entry_hardlink)                    \
  X(entry_pathname)                    \
  X(entry_size)                        \
  X(entry_size_is_set)                 \
  X(entry_symlink)                     \
  X(error_string)                      \
  X(read_data)                         \
  X(read_free)                         \
  X(read_new)                          \
  X(read_next_header)                  \
  X(read_open_fd)                      \
  X(read_support_filter_bzip2)         \
  X(read_support_filter_gzip)          \
  X(read_support_filter_xz)            \
  X(read_support_filter_zstd)          \
  X(read_support_format_tar)

struct LibArchive {
#define DETENT_LIBARCHIVE_MEMBER(name) decltype(&archive_##name) name = nullptr;
  DETENT_LIBARCHIVE_FUNCTIONS(DETENT_LIBARCHIVE_MEMBER)
#undef DETENT_LIBARCHIVE_MEMBER
};

/// Load a libarchive. @param file  a path, or a name that the dynamic linker looks for
/// @throws InputError  it cannot be loaded or lacks a function; names both and the package to install
LibArchive load_libarchive(const char* file);

/// The library that the build found, loaded at the first call and never unloaded. @throws as load_libarchive
const LibArchive& libarchive();

}  // namespace detent::models::tvm
