// BTF checker: a file -> what breaks the rules of BTF 2.2.1. Shares nothing with the writer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace detent::reports {

struct BtfRecord {
  std::uint64_t time = 0;
  std::string source, type, target, event, note;
  std::int64_t source_instance = 0, target_instance = 0;
};

struct BtfFile {
  std::map<std::string, std::string> header;
  std::vector<BtfRecord> records;
  std::vector<std::string> violations;  ///< "line 7: ..."; empty: the file is well-formed
};

/// Read a file and run the state machines: fields and integers; time never decreases; tasks go
/// terminated -> active -> running <-> ready, running -> waiting -> ready, running -> terminated; one running task per
/// core and one core per task; a core executes and idles in turn and does not idle with a task running; runnables run
/// while their task does, nest, and end before it; a stimulus is its own source; a semaphore is requested, assigned and
/// released by one task; signals are touched by running tasks; names of cores begin with Core, of tasks with TASK.
/// At the end no task runs and no runnable is open.
BtfFile check_btf(const std::string& text);

}  // namespace detent::reports
