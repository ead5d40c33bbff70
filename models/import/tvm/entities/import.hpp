// Import: a hand-parallelised C file -> an op graph: a table of entities with entry functions, arguments, successors
// and initial indegrees, as a run function walks over it.
//
// Nothing of the file is executed. What is not known of an entity's bytes is said of its op (Footprint::kUnknown), so
// that no check takes the graph for free of races.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/model.hpp"

namespace detent::models::tvm::entities {

struct EntityOptions {
  std::vector<std::string> includes{};  ///< directories of headers, after the file's own
  std::vector<std::string> flags{};     ///< of the compiler: macros, and what changes types
  std::string table{};                  ///< name of the table's variable, where the file has several
};

/// What is said of one entity.
struct EntityNote {
  std::uint32_t op = 0;
  std::string function;
  std::uint32_t line = 0;    ///< of the table's row
  std::string why;           ///< what is not known of its bytes; "": all is
  bool is_superset = false;  ///< it may touch fewer bytes than its op says, by data
};

struct EntityImport {
  Model model;                       ///< an op graph: op i is entity i; regions are the variables that entities touch
  std::string table, record;         ///< "entities", "struct entity"
  std::vector<EntityNote> entities;  ///< by op
  std::vector<std::string> notes;
  [[nodiscard]] std::size_t unknown_count() const;
};

/// Read the file with the headers beside it and those that are given, find the table, and analyse each entry function
/// with the arguments of its entity.
/// @throws InputError  no C, a header that is not there, no table or several, a row that is broken, edges that the
///                     indegrees contradict, a cycle; file, line and remedy
EntityImport import_entities(const std::string& path, const EntityOptions& options = {});

/// The same of a text that includes nothing. @param file  named in errors
EntityImport import_entities_text(const std::string& text, const std::string& file, const EntityOptions& options = {});

}  // namespace detent::models::tvm::entities
