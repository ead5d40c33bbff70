// MainObjects: the memory that main names, recorded in the Program: its parameters, arrays and functions of the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/import/tvm/artifact/types.hpp"
#include "models/import/tvm/program/main_memory.hpp"
#include "models/import/tvm/program/main_text.hpp"
#include "models/import/tvm/program/types.hpp"

namespace detent::models::tvm {

class MainObjects {
 public:
  /// All must outlive it.
  MainObjects(const MainText& text, const Artifact& artifact, Program& program)
      : text_(text), artifact_(artifact), program_(program) {}

  void declare_parameters();
  [[nodiscard]] bool is_parameter(const std::string& name) const { return parameters_.contains(name); }
  /// Null: main has none of this name.
  [[nodiscard]] const MainValue* parameter(const std::string& name) const;

  /// @return  its index in Program::objects
  std::uint32_t add_object(MemoryObject::Kind kind, const std::string& name, std::uint64_t size_bytes);
  /// @param at  a kObject   @return  a kBuffer
  MainValue add_buffer(const std::string& name, const MainValue& at, std::uint32_t line);

  /// A variable of this name holds argument `handle` of a packed main.
  void name_handle(std::int64_t handle, const std::string& name) { handle_names_[handle] = name; }
  /// @param receiver  the variable that is given the data pointer; "": none
  MainValue parameter_data(std::int64_t handle, const std::string& receiver, std::uint32_t line);
  /// The arguments of a packed main that were used become its parameters.
  void list_arguments();

  MainValue global_value(const Expr& name);
  /// A variable of the file holds a function that was looked up. False: it cannot, or it holds another one.
  bool bind_function(const Expr& variable, const std::string& symbol);
  [[nodiscard]] bool is_bound(const std::string& variable) const { return functions_.contains(variable); }

 private:
  void declare_parameter(const Variable& param);

  const MainText& text_;
  const Artifact& artifact_;
  Program& program_;
  std::map<std::string, MainValue> parameters_;
  std::map<std::int64_t, std::string> handle_names_;
  std::map<std::int64_t, std::uint32_t> handle_objects_;
  std::map<std::string, std::uint32_t> global_objects_;
  std::map<std::string, std::string> functions_;  ///< variables of the file that hold a function that was looked up
};

}  // namespace detent::models::tvm
