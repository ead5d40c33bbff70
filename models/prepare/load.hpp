// load_model: what a user types for MODEL -> a Model.
#pragma once

#include <string>

#include "models/core/model.hpp"

namespace detent::models {

/// A zoo spec ("yolov8n", "chain:1000"), else a file: a package by its magic, an op graph, or a table of ops
/// (.csv). A zoo name hides a file
/// of the same name; write "./chain" for the file.
///
/// The model comes as it stands: good zoo models and some packages have no memory plan yet. prepare_model
/// (models/zoo/zoo.hpp) splits, assigns and plans those, and leaves planned ones alone.
/// @throws InputError  nothing of that name (lists what exists), or a file that its reader refuses
Model load_model(const std::string& name_or_path);

/// The file half of load_model.
Model load_model_file(const std::string& path);

}  // namespace detent::models
