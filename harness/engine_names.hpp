// Modes and schedulers of the engine <-> their words on command lines, in replay lines and in answers.
#pragma once

#include <string>

#include <detent/detent.h>

namespace detent::harness {

/// "serial", "layered", "closed-loop", "static".
const char* mode_name(detent_mode mode);
/// @throws std::invalid_argument  says what may stand there
detent_mode parse_mode(const std::string& name);

/// "role", "thread".
const char* scheduler_name(detent_scheduler scheduler);
/// @throws std::invalid_argument  says what may stand there
detent_scheduler parse_scheduler(const std::string& name);

}  // namespace detent::harness
