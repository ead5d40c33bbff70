// load_model: what a user types for MODEL -> a Model with a place for every tensor, ready for lower().
#pragma once

#include <string>

#include "models/model.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::models {

/// A zoo spec ("yolov8n", "chain:1000"), else a file: a package by its magic, or an op graph. A zoo name hides a file
/// of the same name; write "./chain" for the file.
/// @param options  how a zoo model, or a package without a memory plan, is prepared
/// @throws InputError  nothing of that name (lists what exists), or a file that its reader refuses
Model load_model(const std::string& name_or_path, const ZooOptions& options = {});

/// The file half of load_model, as it stands in the file: no plan is made.
Model load_model_file(const std::string& path);

}  // namespace detent::models
