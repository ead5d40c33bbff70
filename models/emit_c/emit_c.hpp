// Emit: Desc + C sources of its kernels -> the files of a self-contained firmware directory (docs/FORMATS.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <detent/desc.h>

#include "models/core/model.hpp"
#include "models/emit_c/emitted_file.hpp"

namespace detent::models {

/// What the tables do not tell.
struct EmitOptions {
  std::vector<SourceFile> sources;         ///< kernels that are not built in, written below operators/
  std::vector<std::string> compile_flags;  ///< for `sources`
  bool builtin_kernels = true;             ///< write those that the Desc uses to runtime/kernels/
  std::uint64_t arena_bytes = 0;    ///< size of the static arena: detent_arena_bytes of the largest configuration
  std::uint64_t port_bytes = 0;     ///< memory of the POSIX port: at least detent_port_posix_bytes()
  std::uint32_t arena_workers = 0;  ///< for how many workers the arena is large enough
  std::optional<std::uint32_t> default_workers;  ///< of the port `posix`, 0: serial; none: by the cores of the machine
  std::uint32_t log_records = 0;                 ///< of each ring of the log that the port `posix` has room for
  std::uint64_t log_bytes = 0;                   ///< what these rings take of the arena
};

/// All files, in the order of their paths: desc.c, desc.h, weights/, model.c, the example, runtime/, operators/,
/// Makefile, README.md. The same Desc and options give the same bytes. `desc` binds (detent_init accepts it).
/// @throws InputError  a name of a source that is no plain relative path, a compile flag that no Makefile can hold
std::vector<EmittedFile> emit_c(const detent_desc& desc, const EmitOptions& options);

/// desc.c alone: every table with one line an element and comments that name what the numbers stand for.
std::string emit_desc_tables(const detent_desc& desc);
/// The constant bytes of region `index` (of kind WEIGHTS) as a C array `detent_weights_<index>`.
std::string emit_weights(const detent_desc& desc, std::uint32_t index);

/// `text` as the inside of a C string literal: ASCII only, no trigraph, no escape that the next character extends.
std::string c_escaped(std::string_view text);
/// `text` for the inside of a C comment: as c_escaped, cut to 80 characters, never ending or opening a comment.
std::string c_comment(std::string_view text);

}  // namespace detent::models
