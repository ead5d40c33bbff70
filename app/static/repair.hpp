// What mends a violated model: the remedy beside the verdicts, and `verify --fix`, which writes the mended model.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/answer.hpp"
#include "app/model/loaded_model.hpp"
#include "app/static/static_checks.hpp"

namespace detent::app {

enum class RepairKind : std::uint8_t { kNone, kEdges, kPlaces };

struct RepairOptions {
  RepairKind kind = RepairKind::kNone;
  std::string file{};  ///< where the mended model goes
};

/// kEdges of "edges", kPlaces of "places". @throws std::invalid_argument  another word
RepairKind repair_kind(const std::string& word);

struct Remedy {
  Json json{};    ///< null: nothing is to be mended, or it cannot be found out
  Lines lines{};  ///< for the first screen: how many pairs, the first in words, the command that mends them
};

/// Of races and value violations, by the means that is least: edges, else places. Where the model is too large to look
/// for them on the way, the command alone is named.
Remedy find_remedy(const LoadedModel& loaded, const StaticAnswer& known, const Request& request,
                   const ModelOptions& options);

struct RepairAnswer {
  Json json{};
  Lines lines{};
  bool is_written = false;
};

/// Mend the model, write it in the form it has (a package stays one, an op graph stays one, anything else becomes a
/// package), read back what is to be written and prove all static laws of it; then write it, whole or not at all.
/// @throws std::invalid_argument  the graph is broken, so that there is no order to mend; InputError  the file cannot
///         be written
RepairAnswer repair_model(const LoadedModel& loaded, const RepairOptions& options, const Request& request);

}  // namespace detent::app
