// detent partition FILE: which device executes which ops of a plan case, and what its runs do when devices fail.
#pragma once

#include "app/answer/verdicts.hpp"

namespace detent::app {

/// @param request  model: the plan case
/// @return  `detent.partition/1`; unknown where a run takes too much work. A model that cannot be compiled is an
/// answer.
/// @throws InputError  the file is no plan case
Answer partition_model(const Request& request, const OnProgress& on_progress);

}  // namespace detent::app
