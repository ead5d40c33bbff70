// What the importer finds out, whole, as lines of text: for golden files.
#pragma once

#include <string>

#include "models/import/tvm/model/import.hpp"

namespace detent::models::tvm {

/// Trees of all functions, records, globals, macros and errors, with the places of everything.
std::string unit_text(const CUnit& unit);
std::string artifact_text(const Artifact& artifact);
std::string footprint_text(const FunctionFootprint& footprint);
std::string program_text(const Program& program, const Footprints& footprints);
/// Of an import: accesses, conflicts, hazards, notes.
std::string hazards_text(const Import& import);

}  // namespace detent::models::tvm
