// The bytes that operators of an artifact were seen to touch against those that the analysis of their text found.
#pragma once

#include <vector>

#include "app/model/loaded_model.hpp"
#include "harness/access/report.hpp"
#include "models/import/tvm/model/import.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// Every call whose footprint claims to be exact writes these bytes and no others, reads none that it has not written
/// itself but these, and reads all of these. Weights and blocks of TVMBackendAllocWorkspace are left to the access
/// audit.
/// @param original  made by imported_model(import), before anything is planned anew
/// @param places    of the same call
/// @param report    of the same model
/// @return  property "text_analysis"; a witness for each call and object
verify::Verdict compare_with_text(const models::tvm::Import& import, const LoadedModel& original,
                                  const std::vector<models::tvm::ObjectPlace>& places,
                                  const harness::AccessReport& report);

}  // namespace detent::app
