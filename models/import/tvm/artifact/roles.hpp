// A C file of an artifact -> which part of it this is, by what it defines: operators with main, glue, metadata tables.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// How symbols begin and end: of main since TVM 0.9, of main before, of the run function.
inline constexpr std::string_view kSymbolPrefix = "tvmgen_", kMainSuffix = "__tvm_main__",
                                  kOldMainSuffix = "_run_model", kRunSuffix = "_run";

/// Null: this file defines none.
const Function* find_main(const CUnit& unit);
/// Where a file without main names it all the same (a call, a declaration, a definition that does not parse): the line
/// of the first error in it, else of the name; "": nowhere.
std::string line_of_missing_main(const CUnit& unit);

/// Of two functions that find_main finds in different files: is `one` main rather than `other`?
bool is_stronger_main(const Function& one, const Function& other);
const Function* find_operator(const CUnit& unit);
/// @param any_name  a function need not have TVM's prefix to count
std::size_t count_operators(const CUnit& unit, bool any_name);

/// "tvmgen_netA___tvm_main__" -> "netA"
std::string module_of(std::string main_symbol);

/// The calling convention (args, type ids, num_args, out value, out type, resource).
bool is_packed(const Function& function);

/// The run function of a glue file: the last one in a text that names main; null: none.
const Function* find_run(const CUnit& unit, const std::string& main_symbol);
/// Does it define a memory pool, as glue does?
bool defines_pool(const CUnit& unit);
bool has_metadata_tables(const CUnit& unit);

/// Functions that are called and variables that are used but not defined here.
std::set<std::string> open_symbols(const CUnit& unit);
std::set<std::string> open_variables(const CUnit& unit);

/// Does it define a function or a variable of this name for other files?
bool defines(const CUnit& unit, const std::string& symbol);

}  // namespace detent::models::tvm
