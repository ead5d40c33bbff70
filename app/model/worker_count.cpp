#include "app/model/worker_count.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <detent/detent.h>

namespace detent::app {
namespace {

bool is_count(std::string_view text, std::uint32_t least) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc{} && end == text.data() + text.size() && count >= least && count <= DETENT_MAX_WORKERS;
}

void require_count(const char* variable, std::string_view text, std::string_view counted, std::uint32_t least) {
  if (is_count(counted, least)) return;
  throw std::invalid_argument(
      fmt::format("environment: {}=\"{}\" is not a number of workers; use {} to {}, or give --workers", variable, text,
                  least, DETENT_MAX_WORKERS));
}

}  // namespace

std::uint32_t default_workers() {
  const char* const own = std::getenv("TVMRT_NUM_WORKERS");
  const char* const of_openmp = std::getenv("OMP_NUM_THREADS");
  if (own != nullptr && *own != '\0') {
    require_count("TVMRT_NUM_WORKERS", own, own, 0);
  } else if (of_openmp != nullptr && *of_openmp != '\0') {
    const std::string_view text = of_openmp;
    require_count("OMP_NUM_THREADS", text, text.substr(0, text.find(',')), 1);
  }
  return detent_default_worker_count();
}

}  // namespace detent::app
