// A C file that a person wrote, with its headers -> CUnit.
#pragma once

#include <string>
#include <vector>

#include "models/import/tvm/entities/import.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm::entities {

/// Headers are found beside the file and in options.includes; those of the C library and of threads are known.
/// @param path  "": the text includes nothing of its own
/// @throws InputError  as parse_any_c; a header that is nowhere
CUnit parse_source(std::string text, const std::string& file, const std::string& path, const EntityOptions& options);

}  // namespace detent::models::tvm::entities
