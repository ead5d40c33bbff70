// "device" of an answer -> lines for people.
#pragma once

#include "app/answer/answer.hpp"

namespace detent::app {

/// @param device  as device_json gives it (device_account.hpp), or as a saved answer has it
/// @throws Json::exception  it is not that
Lines device_lines(const Json& device);

}  // namespace detent::app
