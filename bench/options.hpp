// What every benchmark takes on its command line.
#pragma once

#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

namespace detent::bench {

struct Options {
  bool quick = false;  ///< smaller and fewer: does it work at all
  std::string json;    ///< file for the figures; empty = none
};

/// Nothing when an argument is unknown, which it has then said on stderr: exit with 2.
inline std::optional<Options> read_options(int argc, char** argv, const char* program) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      options.quick = true;
    } else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
      options.json = argv[++i];
    } else {
      std::fprintf(stderr, "usage: %s [--quick] [--json FILE]\n", program);
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace detent::bench
