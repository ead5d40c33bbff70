// Pages of a program that there is not: what tests of the manual are written against.
#pragma once

#include <string>
#include <vector>

#include "app/manual/page.hpp"

namespace detent::app {

inline ManualOption argument(const std::string& name, bool required = true) {
  return {.names = {name}, .value = "NAME", .text = "What it is about", .positional = true, .required = required};
}

inline ManualOption flag(std::vector<std::string> names, const std::string& text) {
  return {.names = std::move(names), .text = text};
}

inline ManualOption valued(std::vector<std::string> names, const std::string& value, const std::string& text) {
  return {.names = std::move(names), .value = value, .text = text};
}

/// The program, `bake MODEL`, `serve` with two commands below it, `carry COMMAND`.
inline std::vector<ManualPage> bakery_pages() {
  ManualOption out = valued({"--out", "-o"}, "DIR", "Where the loaves go");
  out.required = true;
  ManualOption heat = valued({"--heat"}, "N", "How hot");
  heat.fallback = "200";
  heat.range = "100 to 300";
  ManualOption seed = valued({"--seed"}, "N", "Which grains");
  seed.repeats = true;
  ManualOption pair = valued({"--diff"}, "BEFORE AFTER", "Two loaves");
  pair.excludes = {"MODEL", "--heat"};
  ManualOption crust = valued({"--crust"}, "soft|hard", "What is outside");
  crust.group = "Taste";
  const ManualOption chip = valued({"--platform"}, "PLATFORM", "Which oven");
  const ManualOption quiet = flag({"--quiet", "-q"}, "No human text");
  ManualOption words = argument("COMMAND");
  words.takes_many = true;
  return {{.name = "",
           .summary = "Bakes bread.",
           .details = "From flour.\nTo loaves.",
           .commands = {"bake", "serve", "carry"}},
          {.name = "bake",
           .summary = "Make loaves of MODEL",
           .details = "Slowly.",
           .options = {argument("MODEL"), out, heat, seed, pair, crust, chip, quiet},
           .examples = {"detent bake rye --out o", "detent bake rye --out o --heat 250 --seed 1 --seed 2"}},
          {.name = "serve", .summary = "Hand out", .commands = {"warm", "cold"}},
          {.name = "serve warm", .summary = "From the oven", .options = {quiet}},
          {.name = "serve cold", .summary = "From the shelf", .options = {argument("LOAF", false), quiet}},
          {.name = "carry", .summary = "Take another command along", .options = {words, out, quiet}}};
}

}  // namespace detent::app
