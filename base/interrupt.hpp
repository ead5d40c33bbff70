// Ctrl-C as a question that long loops ask: whether to stop with what is known so far.
#pragma once

namespace detent {

/// Set by a signal handler (cli/interrupt.hpp) and never unset; safe in handlers and on any thread.
void request_stop();

/// Whether somebody asked this process to stop. Loops over runs and schedules ask it after each, and answer with those
/// that they had, at least one.
[[nodiscard]] bool stop_requested();

}  // namespace detent
