// Name storage of a lowered model: C strings at fixed addresses, and dense numbers for names that repeat.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace detent::models {

/// Copies names into blocks that never move. A million short names cost one allocation per 64 KiB.
class NamePool {
 public:
  const char* add(std::string_view name) {
    const std::size_t need = name.size() + 1;
    if (need > left_) start_block(need > kBlockBytes ? need : kBlockBytes);
    char* at = next_;
    std::memcpy(at, name.data(), name.size());
    at[name.size()] = '\0';
    next_ += need;
    left_ -= need;
    return at;
  }

 private:
  static constexpr std::size_t kBlockBytes = 65536;

  void start_block(std::size_t bytes) {
    blocks_.push_back(std::make_unique<char[]>(bytes));
    next_ = blocks_.back().get();
    left_ = bytes;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

/// Numbers names by first appearance.
class NameTable {
 public:
  std::uint32_t id(std::string_view name) {
    if (!names_.empty() && names_[last_] == name) return last_;
    const auto [it, is_new] = ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.emplace_back(name);
    last_ = it->second;
    return last_;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> names_;
  std::uint32_t last_ = 0;
};

}  // namespace detent::models
