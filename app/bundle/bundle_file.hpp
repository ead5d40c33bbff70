// bundle.json (detent.bundle/1): the evidence of one check, read strictly and written so that equal evidence gives
// equal bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/bundle/folder.hpp"
#include "app/bundle/tool.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// Names inside a bundle.
inline constexpr const char* kBundleFile = "bundle.json";
inline constexpr const char* kBundleInputs = "inputs";
/// Largest bundle.json that is read.
inline constexpr std::uint64_t kMaxBundleBytes = std::uint64_t{1} << 28U;

/// An option of the check with what counted for it.
struct BundledOption {
  std::string name;   ///< "--runs", "MODEL"
  std::string value;  ///< words of one that was repeated are joined by ","
  bool is_given = false;
};

/// A variable of the environment and what counted for it, set or not; empty: an option decided.
struct BundledVariable {
  std::string name;
  std::string value;
};

/// What was checked, and each file that said how.
struct BundledInput {
  std::string role;    ///< "model", "platform", "costs"
  std::string name;    ///< as the command names it: "diamond", "inputs/model/net.json"
  std::string path;    ///< of the copy in the bundle; empty: built into the program, without a text
  std::string sha256;  ///< of the copy; of a model without one, of its package
};

struct BundledVerdict {
  std::string property;
  verify::Outcome outcome = verify::Outcome::kUnknown;
  bool is_checked = true;  ///< false: the model gives the law nothing to judge
  std::string summary;
  std::string condition;           ///< what it holds under beside its summary; empty: nothing more
  bool has_assumed_times = false;  ///< it is about time, and an op's time is assumed
  bool has_assumed_bytes = false;  ///< it holds under its condition, which nothing has checked
};

/// A value that the answers rest on, with where it comes from.
struct AssumedValue {
  std::string subject;  ///< "platform quad_npu: cpu.clock_hz", "op 3 (conv1): longest time"
  std::variant<std::uint64_t, double, std::string> value;
  std::string unit;    ///< "Hz", "ps"; empty: a bare number or a word
  std::string ground;  ///< "seen", "derived", "guess", "default", "given", "measured", "modelled", "assumed", "option"
  std::string source;
};

struct BundledAssumption {
  std::string key;
  std::string text;
};

/// What the answers leave open.
struct ResidualRisk {
  std::string kind;  ///< "violated", "unknown", "not_checked", "sampled", "guessed", "not_modelled", "assumed"
  std::string subject;
  std::string text;
};

struct BundledRequirement {
  std::string id;
  std::string text;
  std::vector<std::string> properties;
  std::string state;  ///< "satisfied", "violated", "unknown"
};

struct BundleFile {
  std::string root_sha256;  ///< of all else in the file, and so of every file of the bundle
  verify::Outcome outcome = verify::Outcome::kUnknown;
  std::vector<std::string> command;  ///< {"detent", "check", "diamond", "--runs=5"}, to be typed in the bundle's folder
  std::vector<BundledOption> options;
  std::vector<BundledVariable> environment;
  BundleTool tool;
  std::vector<BundledInput> inputs;
  std::string model_sha256;  ///< of the package of the model as it was judged: split, set, planned
  std::vector<BundledVerdict> verdicts;
  std::vector<BundledRequirement> requirements;
  std::vector<ResidualRisk> risks;
  std::vector<AssumedValue> assumed;
  std::vector<BundledAssumption> assumptions;
  std::vector<BundledFile> files;  ///< all but bundle.json, by path
};

/// The text of bundle.json with its root; what `bundle` has for a root is not looked at.
std::string bundle_text(const BundleFile& bundle);

/// SHA-256 of the text with the digits of its root replaced by zeros; empty: it does not begin as a bundle does, up to
/// a root.
std::string root_of(std::string_view text);
/// Is that the root which it has?
bool root_fits(std::string_view text);
/// Does it begin nearly so: a bundle, of which a byte or two may have changed there?
bool begins_as_bundle(std::string_view text);

/// @throws InputError  the text breaks a rule of the format: names the place. That files and verdicts are as it says is
/// another matter (verify_bundle.hpp)
BundleFile parse_bundle(std::string_view text, const std::string& file);

}  // namespace detent::app
