// Laws of the readers: what is written is read back; what is broken is refused by name or read as something else.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "base/input_error.hpp"
#include "base/json.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "properties/law.hpp"
#include "properties/models/arbitrary.hpp"

namespace detent::models {
namespace {

std::string refusal(const std::string& graph_text) {
  try {
    (void)parse_graph(graph_text, "g");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

RC_GTEST_PROP(PackageLaw, AnyModelRoundTrips, ()) {
  laws::law_of(any_models(), check_command, [](const Model& model) {
    const std::string bytes = encode_package(model);
    RC_ASSERT((decode_package(bytes, "p") == model));
    RC_ASSERT(encode_package(decode_package(bytes, "p")) == bytes);
  });
}

RC_GTEST_PROP(PackageLaw, RandomModelsRoundTrip, ()) {
  laws::law_of(random_models(60, 0.3), plan_command,
               [](const Model& model) { RC_ASSERT((decode_package(encode_package(model), "p") == model)); });
}

RC_GTEST_PROP(PackageLaw, AnyChangeIsRefused, ()) {
  laws::law_of_values(any_models(), [](const Model& model) {
    const std::string bytes = encode_package(model);
    std::string changed = bytes;
    for (int i = pick(1, 4); i > 0; --i) {
      changed[pick<std::size_t>(0, changed.size() - 1)] = static_cast<char>(pick(0, 255));
    }
    if (flip()) changed.resize(pick<std::size_t>(0, changed.size()));
    RC_PRE(changed != bytes);
    RC_ASSERT_THROWS_AS((void)decode_package(changed, "p"), InputError);
  });
}

RC_GTEST_PROP(GraphLaw, AnyGraphRoundTrips, ()) {
  laws::law_of(op_graphs(), check_command, [](const Model& model) {
    const std::string text = format_graph(model);
    RC_ASSERT((parse_graph(text, "g") == model));
    RC_ASSERT(format_graph(parse_graph(text, "g")) == text);
    RC_ASSERT((decode_package(encode_package(model), "p") == model));
  });
}

RC_GTEST_PROP(GraphLaw, AnEdgeAgainstAPathIsACycle, ()) {
  laws::law_of(op_graphs(), check_command, [](const Model& graph) {
    Model model = graph;
    RC_PRE(!model.edges.empty());
    std::uint32_t at = model.edges[pick<std::size_t>(0, model.edges.size() - 1)].from;
    const std::uint32_t start = at;
    for (int steps = pick(1, 5); steps > 0; --steps) {
      const auto out =
          std::find_if(model.edges.begin(), model.edges.end(), [at](const Edge& e) { return e.from == at; });
      if (out != model.edges.end()) at = out->to;
    }
    model.edges.push_back({at, start, 0, 0});
    RC_ASSERT(refusal(format_graph(model)).find("cycle: ") != std::string::npos);
  });
}

RC_GTEST_PROP(GraphLaw, ARepeatedEdgeIsRefusedWithBothPlaces, ()) {
  laws::law_of(op_graphs(), check_command, [](const Model& graph) {
    Model model = graph;
    RC_PRE(!model.edges.empty());
    const auto again = pick<std::size_t>(0, model.edges.size() - 1);
    model.edges.push_back(model.edges[again]);
    const std::string text = refusal(format_graph(model));
    RC_ASSERT(text.find("edges[" + std::to_string(again) + "]") != std::string::npos);
    RC_ASSERT(text.find("edges[" + std::to_string(model.edges.size() - 1) + "]") != std::string::npos);
  });
}

/// Region 0 one byte smaller than what the range that reaches furthest needs.
RC_GTEST_PROP(GraphLaw, ARangePastItsRegionIsRefused, ()) {
  laws::law_of(op_graphs(), check_command, [](const Model& graph) {
    Model model = graph;
    std::uint64_t end = 0;
    for (const Tensor& tensor : model.tensors) {
      if (tensor.region == 0) end = std::max(end, tensor.offset_bytes + tensor.size_bytes);
    }
    if (end < 2) return;
    model.regions[0].size_bytes = end;
    RC_ASSERT(refusal(format_graph(model)).empty());
    model.regions[0].size_bytes = end - 1;
    RC_ASSERT(refusal(format_graph(model)).find("outside region") != std::string::npos);
  });
}

nlohmann::json pick_json(int depth) {
  switch (pick(0, depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return flip();
    case 2:
      return pick_wide();
    case 3:
      return *rc::gen::arbitrary<std::int64_t>();
    case 4:
      return static_cast<double>(*rc::gen::arbitrary<std::int32_t>()) / 8 + 0.0625;
    case 5:
      return pick_name();
    case 6: {
      nlohmann::json list = nlohmann::json::array();
      for (int i = pick(0, 4); i > 0; --i) list.push_back(pick_json(depth - 1));
      return list;
    }
    default: {
      nlohmann::json object = nlohmann::json::object();
      for (int i = pick(0, 4); i > 0; --i) object[pick_name()] = pick_json(depth - 1);
      return object;
    }
  }
}

bool same(const nlohmann::json& expected, JsonValue value) {
  if (expected.is_null()) return value.kind() == JsonKind::kNull;
  if (expected.is_boolean()) return value.as_bool() == expected.get<bool>();
  if (expected.is_number_unsigned()) return value.as_u64() == expected.get<std::uint64_t>();
  if (expected.is_number_integer()) return value.as_i64(INT64_MIN, INT64_MAX) == expected.get<std::int64_t>();
  if (expected.is_number_float()) return value.as_number() == expected.get<double>();
  if (expected.is_string()) return value.as_string() == expected.get<std::string>();
  if (value.size() != expected.size()) return false;
  if (expected.is_array()) {
    std::size_t i = 0;
    for (const JsonValue element : value.elements()) {
      if (!same(expected[i++], element)) return false;
    }
    return true;
  }
  JsonObject object(value);
  return std::all_of(expected.items().begin(), expected.items().end(),
                     [&](const auto& item) { return same(item.value(), object.require(item.key())); });
}

RC_GTEST_PROP(JsonLaw, TheDocumentIsWhatNlohmannReads, ()) {
  laws::law_of_values([] {
    const nlohmann::json expected = pick_json(4);
    const std::string text = expected.dump(flip() ? 2 : -1, ' ', flip());
    const JsonDocument document = JsonDocument::parse(text, "j");
    RC_ASSERT(same(expected, document.root()));
  });
}

}  // namespace
}  // namespace detent::models
