// A C text as libclang parsed it.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "models/import/tvm/clang/libclang.hpp"
#include "models/import/tvm/clang/target.hpp"

namespace detent::models::tvm {

/// A parsed file. Disk, include paths of the environment and signal handlers are left alone.
class ParsedC {
 public:
  /// @throws InputError  the parser refuses it, or does not know the target
  ParsedC(const std::string& source, const std::string& file, const CTarget& target);
  [[nodiscard]] CXTranslationUnit unit() const { return unit_.get(); }

 private:
  struct CloseIndex {
    void operator()(CXIndex index) const { libclang().disposeIndex(index); }
  };
  struct CloseUnit {
    void operator()(CXTranslationUnit unit) const { libclang().disposeTranslationUnit(unit); }
  };
  std::unique_ptr<void, CloseIndex> index_;
  std::unique_ptr<std::remove_pointer_t<CXTranslationUnit>, CloseUnit> unit_;
};

}  // namespace detent::models::tvm
