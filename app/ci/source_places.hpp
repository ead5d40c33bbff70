// Where the ops of a model stand in files.
#pragma once

#include <string>

#include "app/model/loaded_model.hpp"
#include "reports/data/report_data.hpp"

namespace detent::app {

/// Ops of a graph file: the line on which each begins. Ops of an imported network: the C function that each calls, in
/// the package's own sources. Anything else stands in line 1 of the file, or of what is named like the model of the
/// zoo. A file that has changed since it was loaded may give other lines, never an error.
/// @param name  as typed
reports::SourcePlaces source_places(const std::string& name, const LoadedModel& loaded);

}  // namespace detent::app
