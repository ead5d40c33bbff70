// Another process that wants a core while a benchmark measures.
#pragma once

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace detent::bench {

/// A process of nice 10 that computes as long as the object lives.
class Disturbance {
 public:
  /// @param wanted  false: there is none
  explicit Disturbance(bool wanted) {
    if (!wanted) return;
    child_ = fork();
    if (child_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpriority(PRIO_PROCESS, 0, 10);
    for (;;) asm volatile("");
  }
  ~Disturbance() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Disturbance(const Disturbance&) = delete;
  Disturbance& operator=(const Disturbance&) = delete;

 private:
  pid_t child_ = 0;
};

}  // namespace detent::bench
