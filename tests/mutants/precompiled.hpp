// What most sources of the host include, read once for all faulty programs (build_tree.py).
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// Used, so that the instances are compiled once too.
inline void write_and_read_json(std::ostream& out) {
  nlohmann::ordered_json answer = nlohmann::ordered_json::parse("{}");
  answer["name"] = std::string("value");
  answer["number"] = 1.5;
  for (const auto& entry : answer) out << entry;
  out << answer.dump(2) << nlohmann::json::parse("[]").dump() << fmt::format("{} {}", 1, std::string());
}
