// MainValues: values of main's expressions: numbers, addresses, and what a packed caller tells about its arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/import/tvm/program/main_memory.hpp"
#include "models/import/tvm/program/main_objects.hpp"
#include "models/import/tvm/program/main_text.hpp"
#include "models/import/tvm/program/types.hpp"

namespace detent::models::tvm {

/// Expressions have no side effects here; what is not known ends the import with an InputError.
class MainValues {
 public:
  /// All must outlive it.
  MainValues(const MainText& text, const Program& program, const MainMemory& memory, MainObjects& objects)
      : text_(text), program_(program), memory_(memory), objects_(objects) {}

  MainValue evaluate(ExprId id);
  /// @param what  the error where it is no number that is known
  std::int64_t integer(ExprId id, const std::string& what);
  std::optional<bool> condition(ExprId id);
  std::optional<MainPlace> place_of(const Expr& e);
  /// The symbol of the function that is called.
  std::string callee(const Expr& call);
  /// What is evaluated from now on is assigned to this variable, which names its buffer; "": to none.
  void set_receiver(const std::string& name) { receiver_ = name; }

 private:
  MainValue evaluate_name(const Expr& e);
  MainValue evaluate_cast(const Expr& e);
  MainValue evaluate_unary(const Expr& e);
  MainValue evaluate_binary(const Expr& e);
  MainValue evaluate_member(const Expr& e);
  MainValue evaluate_index(const Expr& e);
  MainValue address_of(const Expr& e, ExprId operand);
  MainValue offset_by(MainValue base, std::int64_t elements, std::int64_t element_bytes, const Expr& e);
  [[nodiscard]] std::int64_t pointee_bytes(const Expr& pointer) const;
  [[nodiscard]] MainValue load(const MainPlace& place, const Expr& e) const;
  std::optional<bool> comparison(const Expr& e);

  const MainText& text_;
  const Program& program_;
  const MainMemory& memory_;
  MainObjects& objects_;
  std::string receiver_;
};

}  // namespace detent::models::tvm
