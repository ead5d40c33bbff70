// Program: what the artifact's main does, in order: which operator is called on which bytes of which memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/import/tvm/artifact/types.hpp"
#include "models/import/tvm/footprint/footprint.hpp"
#include "models/import/tvm/program/types.hpp"

namespace detent::models::tvm {

/// What every operator that main may call does, by C symbol.
using Footprints = std::map<std::string, FunctionFootprint>;

/// Analyse every function that is defined in the artifact, but main.
Footprints analyse_functions(const Artifact& artifact);

/// Is parameter `argument` of this call read, is it written? From the footprint; for a function without an understood
/// body by the names of its parameters and its position, and then both are supersets.
struct Direction {
  bool reads = false, writes = false;
};

/// Interpret the straight-line body of main.
/// Inputs and outputs are told apart by header, glue or metadata; else by which of them operators write.
/// @throws InputError  a statement that main does not have in any known version; a call through an unknown pointer;
/// file and line
Program read_program(const Artifact& artifact, const Footprints& footprints);

/// Of every argument of every call: [call][argument]. Pools and devices are neither.
/// @see rules in docs/VERIFICATION_IMPORT.md, strongest first: body, names, first mention defines, trailing outputs
std::vector<std::vector<Direction>> argument_directions(const Program& program, const Footprints& footprints);

}  // namespace detent::models::tvm
