// MainCopies: loops in main that copy one buffer to another, recorded in the Program.
#pragma once

#include <string>

#include "models/import/tvm/program/main_calls.hpp"
#include "models/import/tvm/program/main_memory.hpp"
#include "models/import/tvm/program/main_text.hpp"
#include "models/import/tvm/program/main_values.hpp"
#include "models/import/tvm/program/types.hpp"

namespace detent::models::tvm {

class MainCopies {
 public:
  /// All must outlive it.
  MainCopies(const MainCalls::Parts& parts, MainCalls& calls)
      : text_(parts.text), program_(parts.program), memory_(parts.memory), values_(parts.values), calls_(calls) {}

  /// @throws InputError  the loop does anything else
  void read(const Stmt& stmt);

 private:
  bool counts_from_zero(const Stmt& stmt, std::string& variable) const;
  bool copies_onto_itself(const Call& copy) const;
  static bool keeps_bytes(const CType& from, const CType& to);

  const MainText& text_;
  Program& program_;
  const MainMemory& memory_;
  MainValues& values_;
  MainCalls& calls_;
};

}  // namespace detent::models::tvm
