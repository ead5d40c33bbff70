#include "cli/interrupt.hpp"

#include "base/interrupt.hpp"

namespace detent::cli {

StopOnInterrupt::StopOnInterrupt() {
  ::sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  struct sigaction stop {};
  stop.sa_handler = [](int) { request_stop(); };
  stop.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  ::sigaction(SIGINT, &stop, nullptr);
}

StopOnInterrupt::~StopOnInterrupt() { ::sigaction(SIGINT, &before_, nullptr); }

}  // namespace detent::cli
