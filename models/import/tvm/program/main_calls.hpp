// MainCalls: calls in main, recorded in the Program: operators (plain and packed), workspace, device hooks, messages.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/program/main_memory.hpp"
#include "models/import/tvm/program/main_objects.hpp"
#include "models/import/tvm/program/main_text.hpp"
#include "models/import/tvm/program/main_values.hpp"
#include "models/import/tvm/program/types.hpp"

namespace detent::models::tvm {

class MainCalls {
 public:
  /// What the reading of main is about; all must outlive it.
  struct Parts {
    const MainText& text;
    Program& program;
    MainMemory& memory;
    MainObjects& objects;
    MainValues& values;
  };
  explicit MainCalls(const Parts& parts)
      : text_(parts.text),
        program_(parts.program),
        memory_(parts.memory),
        objects_(parts.objects),
        values_(parts.values) {}

  void call(const Expr& e, bool is_checked);
  /// TVMBackendAllocWorkspace; the buffer of the workspace.
  MainValue allocate(const Expr& e, const std::string& name);
  Argument argument_of(const MainValue& value, const std::string& name, std::uint32_t line);
  /// At the end of main. @throws InputError  a device is open on which nothing was called
  void finish() const;

 private:
  void release(const Expr& e);
  void look_up(const Expr& e);
  void operator_call(const Expr& e, const std::string& function, bool is_packed, std::size_t first);
  void hook_call(const Expr& e, const std::string& function);
  std::vector<Argument> packed_arguments(const Expr& e, const std::string& function, std::size_t first);
  void take_shape(const MainPlace& tensor, Argument& argument, const std::string& what, std::uint32_t line) const;
  std::optional<std::int64_t> field(const MainPlace& tensor, std::int64_t offset, std::uint32_t size,
                                    const std::string& what, std::uint32_t line) const;

  const MainText& text_;
  Program& program_;
  MainMemory& memory_;
  MainObjects& objects_;
  MainValues& values_;
  std::vector<std::uint32_t> allocated_;  ///< workspaces that are not free, in order
  std::set<std::uint32_t> freed_;
  bool freed_out_of_order_ = false;
  std::string pending_before_;        ///< Open hook seen since the last call
  std::uint32_t pending_device_ = 0;  ///< of pending_before_
  std::uint32_t pending_line_ = 0;    ///< of pending_before_
};

}  // namespace detent::models::tvm
