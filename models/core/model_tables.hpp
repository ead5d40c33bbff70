// check_model_tables: every index of a Model stays in its table, so that code behind it may index freely.
#pragma once

#include <string>
#include <string_view>

#include "models/core/model.hpp"

namespace detent::models {

/// What is wrong with the name of a source file, or null: letters, digits and ._-/ only, a relative path without `..`.
const char* source_name_fault(std::string_view name);

/// Check that ops name existing tensors, edges existing ops, views and places existing bases and regions, and that
/// ranks fit a Desc. What a plan or a graph does wrong within its tables (cycles, overlaps, sizes, alignments) is not
/// judged here but by detent_init and verify.
/// @param file  stands before the place in the message: a path, or the model's name
/// @throws InputError  B09, B22, B32; the place is like "ops[7].inputs[0]"
void check_model_tables(const Model& model, const std::string& file);

/// The workers of Op::workers: "0, 2" for bits 0 and 2.
std::string worker_list(std::uint32_t bits);

}  // namespace detent::models
