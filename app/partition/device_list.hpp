// detent list devices: the classes of cores of platforms as devices that ops can be put on.
#pragma once

#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

/// @param platform  a name or a file; empty: all that are built in
/// @return  `detent.list/1`: devices[], by platform and in its order
/// @throws std::invalid_argument  no such platform
Answer list_devices(const Request& request, const std::string& platform);

/// A device module alone. @param module  as harness::DeviceModule
/// @return  `detent.list/1`: modules[], one
/// @throws std::invalid_argument  it cannot be used
Answer list_device_module(const Request& request, const std::string& module);

}  // namespace detent::app
