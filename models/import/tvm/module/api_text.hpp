// The application's side of an emitted network: tvmgen_<mod>_run with the structs that TVM gives it.
#pragma once

#include <string>
#include <vector>

#include "models/core/model.hpp"
#include "models/import/tvm/program/program.hpp"

namespace detent::models::tvm {

/// "api/tvmgen_<mod>.h" and ".c": the artifact's own header where it has one, else one like it; `run` binds the
/// application's memory to the regions that a tensor fills, copies where it is not aligned or shared, and opens the
/// network on its first call. Needs model.h of an
/// emitted directory, so it is no part of the module that is compiled on the host.
/// @param sizes  bytes of every object of the program
std::vector<SourceFile> api_sources(const Artifact& artifact, const Program& program,
                                    const std::vector<std::uint64_t>& sizes);

/// Is this a file of api_sources?
bool is_api_source(const std::string& name);

}  // namespace detent::models::tvm
