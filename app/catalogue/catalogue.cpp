#include "app/catalogue/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <detent/detent.h>
#include <detent/operator.h>

#include "base/counted.hpp"
#include "base/input_error.hpp"
#include "base/words/quote.hpp"
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
  static const std::vector<std::string> kTexts = {"lowest op id first",
                                                  "lowest priority of the op first, ties by id",
                                                  "longest path to the end first, ties by id",
                                                  "first ready, first started; ties by id",
                                                  "a seeded shuffle per run",
                                                  "exactly the order of --order FILE"};
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

CatalogueRows list_operators() {
  CatalogueRows rows;
  for (std::int32_t at = 1; detent_elementwise_name(at) != nullptr; ++at) {
    const std::uint32_t params = detent_elementwise_params(at);
    rows.emplace_back(detent_elementwise_name(at), counted(detent_elementwise_inputs(at), "input") +
                                                       (params == 0 ? "" : ", " + counted(params, "parameter")));
  }
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
  if (what == "operators") return list_operators();
  if (what == "platforms") return list_platforms();
  throw std::invalid_argument(what + ": choose models, platforms, policies, kernels or operators");
}

std::vector<std::string> names_of(const std::string& what) {
  std::vector<std::string> names;
  for (const auto& [name, text] : catalogue_of(what)) names.push_back(name.substr(0, name.find_first_of("[:")));
  return names;
}

void refuse_other_name(const std::string& word, const std::string& wanted) {
  std::error_code error;
  if (std::filesystem::exists(word, error)) return;
  if (wanted != "a model" && models::find_zoo_entry(word) != nullptr) {
    throw InputError(word, "",
                     "is a model of the zoo, not " + wanted + "; detent check " + word + " --out DIR takes it");
  }
  if (wanted != "a platform" && std::ranges::count(sim::platform_names(), word) != 0) {
    throw InputError(word, "", "is a platform, not " + wanted + "; a chip is given by --platform " + word);
  }
}

void refuse_swapped(const std::string& option, const std::string& output, const std::string& model) {
  std::error_code error;
  const bool is_model = models::find_zoo_entry(model) != nullptr || std::filesystem::exists(model, error);
  if (is_model || models::find_zoo_entry(output) == nullptr) return;
  throw InputError(option + " " + output, "",
                   "is a model of the zoo, and MODEL is " + quote_word(model) + ", which is not there; write " +
                       output + " " + option + " " + quote_word(model));
}

}  // namespace detent::app
