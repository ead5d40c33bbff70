// The tree as text: every source file with what it includes, and the rules of docs/ARCHITECTURE.md over it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace detent::layout {

/// Path relative to the root -> included names, as written between quotes or angle brackets.
using IncludeGraph = std::map<std::string, std::set<std::string>>;

/// Read every .h, .hpp, .c and .cpp below the folders of the project.
IncludeGraph read_tree(const std::string& root);

/// "a.cpp includes x/y.h: runtime may not include models". Empty: every include goes along an arrow.
std::vector<std::string> check_arrows(const IncludeGraph& graph);

/// "systemc in cli/main.cpp": headers of SystemC, Z3, libclang and RapidCheck outside their folder.
std::vector<std::string> check_external_headers(const IncludeGraph& graph);

/// "runtime/a.cpp includes time.h": standard headers in runtime/ beyond the freestanding ones. Only the sources of a
/// host (`host_sources`) and ports/host_*.h may include others; nothing but they may include these headers.
std::vector<std::string> check_freestanding(const IncludeGraph& graph, const std::set<std::string>& host_sources);

/// What runtime/sources.cmake lists as detent_runtime_host_sources, as "runtime/...".
std::set<std::string> read_host_sources(const std::string& root);

/// Folder -> folders whose files it includes, of the product's folders.
IncludeGraph folder_graph(const IncludeGraph& graph);

/// Differences between the arrows of `folders` and the agreed ones (tests/layout/folders.txt: "folder: folder folder").
std::vector<std::string> check_folder_arrows(const IncludeGraph& folders, const std::string& agreed);

/// Cycles among the files, each as "a.hpp -> b.hpp -> a.hpp".
std::vector<std::string> check_cycles(const IncludeGraph& graph);

}  // namespace detent::layout
