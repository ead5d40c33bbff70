#include "app/catalogue/catalogue.hpp"

#include <stdexcept>

#include <detent/detent.h>

#include "harness/engine_spec.hpp"
#include "models/zoo/zoo.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {
namespace {

CatalogueRows list_models() {
  CatalogueRows rows;
  for (const models::ZooEntry& entry : models::zoo()) rows.emplace_back(entry.usage, entry.description);
  return rows;
}

CatalogueRows list_policies() {
  static const std::vector<std::string> kTexts = {"lowest op id first", "lowest priority of the op first, ties by id",
                                                  "longest path to the end first, ties by id",
                                                  "a seeded shuffle per run", "exactly the order of --order FILE"};
  CatalogueRows rows;
  const std::vector<std::string>& names = harness::policy_names();
  for (std::size_t i = 0; i < names.size(); ++i) rows.emplace_back(names[i], i < kTexts.size() ? kTexts[i] : "");
  return rows;
}

CatalogueRows list_kernels() {
  CatalogueRows rows;
  const detent_kernel_table* table = detent_builtin_kernels();
  for (std::uint32_t i = 0; i < table->count; ++i) rows.emplace_back(table->kernels[i].name, "");
  return rows;
}

CatalogueRows list_platforms() {
  CatalogueRows rows;
  for (const std::string& name : sim::platform_names()) rows.emplace_back(name, "");
  return rows;
}

}  // namespace

CatalogueRows catalogue_of(const std::string& what) {
  if (what == "models") return list_models();
  if (what == "policies") return list_policies();
  if (what == "kernels") return list_kernels();
  if (what == "platforms") return list_platforms();
  throw std::invalid_argument(what + ": choose models, platforms, policies or kernels");
}

std::vector<std::string> names_of(const std::string& what) {
  std::vector<std::string> names;
  for (const auto& [name, text] : catalogue_of(what)) names.push_back(name.substr(0, name.find_first_of("[:")));
  return names;
}

}  // namespace detent::app
