// fork, waitpid, one shared page, and handlers that write down which op a fault hit.
#include "app/coverage/isolated.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "base/interrupt.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

constexpr int kReturned = 0, kThrew = 120, kFaulted = 121;
constexpr unsigned kSaveLimitSeconds = 10;
constexpr std::array kFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/// What the child leaves behind for its parent when a fault ends it.
struct FaultNote {
  std::atomic<int> signal{0};
  std::atomic<std::uint32_t> op{DETENT_NONE};
};

/// A page that both processes see.
class SharedNote {
 public:
  SharedNote() : page_(::mmap(nullptr, sizeof(FaultNote), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (page_ == MAP_FAILED) throw std::runtime_error("no memory to be shared with a process; free some");
    note_ = new (page_) FaultNote;
  }
  ~SharedNote() { ::munmap(page_, sizeof(FaultNote)); }
  SharedNote(const SharedNote&) = delete;
  SharedNote& operator=(const SharedNote&) = delete;
  [[nodiscard]] FaultNote& get() const { return *note_; }

 private:
  void* page_;
  FaultNote* note_ = nullptr;
};

// A signal handler gets no argument of ours: what it needs stands here, in the child alone.
thread_local std::uint32_t running_op = DETENT_NONE;
FaultNote* fault_note = nullptr;
std::vector<detent_kernel_fn> kernels_of_ops;  // of the model that is bound; a kernel gets no argument of ours either
const std::function<void()>* fault_save = nullptr;

/// The first thread with a fault saves what there is and ends the process; others wait for that end.
void on_fault(int signal) {
  int none = 0;
  if (!fault_note->signal.compare_exchange_strong(none, signal)) {
    for (;;) ::pause();
  }
  fault_note->op = running_op;
  ::alarm(kSaveLimitSeconds);  // what the fault has broken may never return
  (*fault_save)();
  ::_exit(kFaulted);
}

/// Faults also on a stack that is used up, where the thread is the one that called.
void catch_faults(std::vector<char>& stack) {
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = on_fault;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  for (const int signal : kFaults) ::sigaction(signal, &action, nullptr);
  ::signal(SIGALRM, SIG_DFL);
}

/// The parent passes on what it is asked; a terminal asks both.
void stop_on_interrupt() {
  struct sigaction action {};
  ::sigaction(SIGINT, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = [](int) { request_stop(); };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

void write_answer(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
}

std::string read_answer(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

[[noreturn]] void work_in_child(const std::function<std::string()>& work, const fs::path& answer) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  stop_on_interrupt();
  std::vector<char> stack(std::size_t{1} << 16U);
  catch_faults(stack);
  int code = kReturned;
  try {
    write_answer(answer, work());
  } catch (const std::exception& error) {
    write_answer(answer, error.what());
    code = kThrew;
  }
  ::_exit(code);
}

int wait_for(pid_t child) {
  int status = 0;
  bool is_asked = false;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    if (!is_asked && stop_requested()) {
      ::kill(child, SIGINT);
      is_asked = true;
    }
    ::poll(nullptr, 0, 5);
  }
}

std::int32_t run_noted(const detent_kernel_args* args) {
  running_op = args->op;
  const std::int32_t code = kernels_of_ops[args->op](args);
  running_op = DETENT_NONE;
  return code;
}

/// Not by `dispatch`: those who watch what kernels read take back ends without it alone.
detent_status resolve_noted(void* self, const char* name, detent_entity* entity) {
  const auto* inner = static_cast<const detent_backend*>(self);
  const detent_status status = inner->resolve(inner->self, name, entity);
  if (status != DETENT_OK || entity->run == nullptr) return status;
  if (kernels_of_ops.size() <= entity->args.op) kernels_of_ops.resize(std::size_t{entity->args.op} + 1);
  kernels_of_ops[entity->args.op] = entity->run;
  entity->run = run_noted;
  return status;
}

}  // namespace

detent_backend noting_backend(detent_backend& inner) {
  return {.self = &inner, .class_name = inner.class_name, .resolve = resolve_noted, .dispatch = nullptr};
}

IsolatedEnd run_isolated(const std::function<std::string()>& work, const std::function<void()>& save,
                         const fs::path& directory) {
  const SharedNote note;
  const fs::path answer = directory / "answer";
  std::fflush(nullptr);  // else the child might print it once more
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process can be made for the kernels; end some others");
  if (child == 0) {
    fault_note = &note.get();
    fault_save = &save;
    work_in_child(work, answer);
  }
  const int status = wait_for(child);
  IsolatedEnd end{.signal = note.get().signal, .op = note.get().op};
  if (WIFSIGNALED(status) && end.signal == 0) end.signal = WTERMSIG(status);
  if (end.signal != 0 || !WIFEXITED(status)) return end;
  end.exit_code = WEXITSTATUS(status);
  const bool has_answer = fs::exists(answer);  // not where the kernels end the process
  end.returned = has_answer && end.exit_code == kReturned;
  end.failed = has_answer && end.exit_code == kThrew;
  if (end.returned || end.failed) end.answer = read_answer(answer);
  return end;
}

}  // namespace detent::app
