// C text of a case -> everything that the importer says of it: for golden files.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace detent::models::tvm {

/// "refused: ..." where `text` throws InputError.
std::string or_refusal(const std::function<std::string()>& text);

struct NamedCase {
  std::string title;  ///< "=== what it shows"
  std::string body;
};
/// Of tests/models/import/tvm/cases/NAME.txt.
std::vector<NamedCase> read_cases(const std::string& name);

/// A body without a function of its own stands in one that has pointers of several types.
std::string footprint_source(const std::string& body);
/// Errors, and the footprint of the last function.
std::string footprint_answer(const std::string& source, bool packed);

/// Statements of a main over x, output and a pool, or a whole text. "CALL f(...);" is a call as TVM writes it.
std::string main_source(std::string body);
/// Program, hazards, and the Models as it is, of its main, and planned anew.
std::string main_answer(const std::string& source);

/// Trees of everything.
std::string unit_answer(const std::string& source);

/// "KERNELS", then a table of these; "ROWS rows", then what stands before a table of these rows that a function runs.
std::string entities_source(const std::string& body);
/// Table, entities, notes, Model.
std::string entities_answer(const std::string& source);

}  // namespace detent::models::tvm
