// The report made of a check.
#pragma once

#include "app/answer/answer.hpp"
#include "app/check/result.hpp"
#include "app/model/loaded_model.hpp"
#include "app/simulate/simulation.hpp"
#include "reports/data/report_data.hpp"

namespace detent::app {

/// Values for the report writers; points into `loaded`, which outlives it.
reports::ReportData make_report_data(const Request& request, const SimulationOptions& options,
                                     const LoadedModel& loaded, const sim::Platform& platform,
                                     const CheckResult& result);

}  // namespace detent::app
