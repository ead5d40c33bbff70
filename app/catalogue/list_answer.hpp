// detent list: what the program has by name, as an answer.
#pragma once

#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

/// @param what  as catalogue_of
/// @return  `detent.list/1`; platforms with their shape and every number, the others with a line each
/// @throws std::invalid_argument  another one
Answer list_answer(const Request& request, const std::string& what);

}  // namespace detent::app
