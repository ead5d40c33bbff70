// Text of op graph files over one region "ws", made of the text of its ops and ranges.
#pragma once

#include <string>

namespace detent::verify::graph_text {

/// `value`: a name, or the text of an array of names.
inline std::string range(int offset, int size, const std::string& value = "") {
  return "{\"region\": \"ws\", \"offset\": " + std::to_string(offset) + ", \"size\": " + std::to_string(size) +
         (value.empty() ? "" : ", \"value\": " + (value[0] == '[' ? value : "\"" + value + "\"")) + "}";
}

/// `reads` and `writes`: ranges with commas between; `more`: other keys, each with a comma behind it.
inline std::string op(int id, const std::string& reads, const std::string& writes, const std::string& more = "") {
  return "{\"id\": " + std::to_string(id) + ", " + more + "\"reads\": [" + reads + "], \"writes\": [" + writes + "]}";
}

/// `more`: other keys of the graph, each with a comma behind it.
inline std::string graph(const std::string& ops, const std::string& edges, const std::string& more = "",
                         int size = 64) {
  return R"({"schema": "detent.graph/2", "regions": [{"name": "ws", "size": )" + std::to_string(size) + "}], " + more +
         R"("ops": [)" + ops + R"(], "edges": [)" + edges + "]}";
}

}  // namespace detent::verify::graph_text
