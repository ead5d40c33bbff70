// Measurements as answers.
#pragma once

#include "app/answer/answer.hpp"
#include "app/calibrate/calibrate.hpp"

namespace detent::app {

/// {op, kernel, warm {...}, cold {...}} per op, ps.
Json table_json(const sim::CostTable& table);

/// What was measured of this machine.
Json host_json(const sim::Platform& platform);
Lines host_lines(const sim::Platform& platform);

/// Predictions beside measurements.
Json validation_json(const Validation& validation);
Lines validation_lines(const Validation& validation);

}  // namespace detent::app
