// The ring logs of a context -> the bytes of a log file.
#pragma once

#include <string>

#include <detent/detent.h>

namespace detent::harness {

/// The file of a context's rings (log_file.hpp). Between runs only. @param desc  that the context was bound from
std::string format_log(const detent_desc& desc, const detent_context& context);

}  // namespace detent::harness
