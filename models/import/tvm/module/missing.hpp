// What an artifact calls and does not define, or not so that it compiles: a vendor's functions and headers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/program/program.hpp"

namespace detent::models::tvm {

/// Which functions of an artifact can be executed: defined, without an error in them, and calling only such functions.
class Definitions {
 public:
  explicit Definitions(const Artifact& artifact);

  /// Of a function that is not static.
  [[nodiscard]] bool is_usable(const std::string& function) const;
  /// Of a function of `unit`, one of the artifact's.
  [[nodiscard]] bool is_usable(const CUnit& unit, const Function& function) const;
  /// Functions that are at fault when this one is not usable, each with the reason: itself, or what it calls.
  [[nodiscard]] std::map<std::string, std::string> faults_of(const std::string& function) const;

 private:
  void add(const CUnit& unit, std::size_t index);
  void add_errors(const CUnit& unit, std::size_t index);
  [[nodiscard]] std::string key(std::size_t unit, const std::string& function) const;
  [[nodiscard]] std::size_t index_of(const CUnit& unit) const;

  const Artifact& artifact_;
  std::set<std::string> defined_;
  std::vector<std::set<std::string>> statics_;            ///< by unit
  std::map<std::string, std::set<std::string>> callees_;  ///< by key; static functions have one of their own
  std::map<std::string, std::string> faults_;             ///< own ones, by key
  std::set<std::string> unusable_;
};

struct MissingCode {
  struct Item {
    std::string function, why;
    std::vector<std::uint32_t> ops;  ///< that cannot be executed without it
  };
  std::vector<Item> functions;         ///< by name
  std::vector<MissingHeader> headers;  ///< each once; empty where no function is missing

  [[nodiscard]] bool empty() const { return functions.empty(); }
  /// What is missing, for whom, and what to do, in one line.
  [[nodiscard]] std::string text() const;
};

MissingCode find_missing(const Artifact& artifact, const Program& program);

}  // namespace detent::models::tvm
