#include "app/catalogue/list_answer.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "app/catalogue/catalogue.hpp"
#include "app/catalogue/platform_list.hpp"

namespace detent::app {
namespace {

void list_platforms(Json& list, Lines& lines) {
  const std::vector<sim::Platform> platforms = all_platforms();
  append(lines, platform_table(platforms));
  for (const sim::Platform& platform : platforms) list.push_back(platform_json(platform));
}

void list_rows(const std::string& what, Json& list, Lines& lines) {
  for (const auto& [name, text] : catalogue_of(what)) {
    Json row = {{"name", name}};
    if (!text.empty()) row["description"] = text;
    list.push_back(std::move(row));
    lines.push_back(text.empty() ? name : fmt::format("{:<30}{}", name, text));
  }
}

}  // namespace

Answer list_answer(const Request& request, const std::string& what) {
  Answer made{.json = json_header("list", request)};
  made.json.erase("model");
  Json list = Json::array();
  what == "platforms" ? list_platforms(list, made.lines) : list_rows(what, list, made.lines);
  made.json[what] = std::move(list);
  return made;
}

}  // namespace detent::app
