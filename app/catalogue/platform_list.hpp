// Built-in platforms as people and programs read them: a table, JSON, and docs/PLATFORMS.md.
#pragma once

#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {

/// Lines of `detent list platforms`: name, cores, NPU, DRAM, how many numbers are seen, derived, from memory.
std::vector<std::string> platform_table(const std::vector<sim::Platform>& platforms);

/// One platform: its shape and every number with its value and source ("default" where the file does not say).
Json platform_json(const sim::Platform& platform);

/// docs/PLATFORMS.md, which is what `detent list platforms --markdown` prints.
std::string platforms_markdown(const std::vector<sim::Platform>& platforms);

/// All built-in platforms, by name.
std::vector<sim::Platform> all_platforms();

}  // namespace detent::app
