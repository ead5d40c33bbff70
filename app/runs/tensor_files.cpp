#include "app/runs/tensor_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <stdexcept>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/io.hpp"
#include "base/wanted_file.hpp"
#include "base/words/near.hpp"
#include "harness/tensor_file.hpp"

namespace detent::app {
namespace {

/// Which files an option names.
class FileWords {
 public:
  /// @param what  "input" or "output"   @param ids  their tensors
  FileWords(const char* what, const detent_desc& desc, std::span<const std::uint32_t> ids) : what_(what) {
    for (const TensorId id : ids) names_.emplace_back(desc.tensors[id].name != nullptr ? desc.tensors[id].name : "");
  }

  struct Word {
    std::uint32_t index = DETENT_NONE;  ///< of the tensor's place among inputs or outputs; DETENT_NONE: a bare FILE
    std::string path{};
  };

  /// @throws std::invalid_argument
  [[nodiscard]] std::vector<Word> parse(const std::vector<std::string>& words) const {
    std::vector<Word> parsed;
    std::set<std::uint32_t> seen;
    for (const std::string& text : words) {
      if (text.empty()) continue;  // as without the option
      parsed.push_back(parse_word(text));
      if (!seen.insert(parsed.back().index).second) {
        fail(text, "the " + std::string(what_) + " has a file already; leave one out");
      }
    }
    if (seen.size() > 1 && seen.contains(DETENT_NONE)) {
      fail(words.front(), "a FILE is of all of them; give NAME=FILE for each or one FILE");
    }
    return parsed;
  }

 private:
  [[noreturn]] void fail(const std::string& text, const std::string& why) const {
    throw std::invalid_argument(fmt::format("--{} {}: {}", what_, text, why));
  }

  /// The longest name that fits: names may have a "=" in them.
  [[nodiscard]] Word parse_word(const std::string& text) const {
    Word word{.path = text};
    std::size_t longest = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string& name = names_[i];
      const bool fits = text.starts_with(name) && text.size() > name.size() && text[name.size()] == '=';
      if (name.empty() || !fits || name.size() < longest) continue;
      if (name.size() == longest) fail(text, "the name is that of two; give one FILE with all of them");
      longest = name.size();
      word = {static_cast<std::uint32_t>(i), text.substr(name.size() + 1)};
    }
    const std::size_t equals = text.find('=');
    if (longest == 0 && equals != std::string::npos && text.find('/') >= equals) refuse_name(text, equals);
    return word;
  }

  [[noreturn]] void refuse_name(const std::string& text, std::size_t equals) const {
    const std::string name = text.substr(0, equals);
    const std::string near = did_you_mean(name, names_);
    if (!near.empty()) fail(text, fmt::format("the model has no {} {}{}", what_, name, near));
    if (names_.empty()) fail(text, fmt::format("the model has no {}s by name; give one FILE", what_));
    fail(text, fmt::format("the model has no {} {}; it has {}, and a FILE with \"=\" is written ./FILE", what_, name,
                           choices_text(names_)));
  }

  const char* what_;
  std::vector<std::string> names_{};
};

std::vector<std::uint8_t> read_all_inputs(const std::string& path, const detent_desc& desc) {
  std::uint64_t expected = 0;
  for (std::uint32_t r = 0; r < desc.region_count; ++r) {
    if (desc.regions[r].kind == DETENT_REGION_INPUT) expected += desc.regions[r].size_bytes;
  }
  if (expected == 0) throw std::invalid_argument("--input " + path + ": the model has no inputs; leave --input out");
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) != expected) {
    const std::string size = counted(expected, "byte");
    require_kind_at(path, {"bytes of the inputs",
                           {FileKind::kBinary, FileKind::kText, FileKind::kArray},
                           "give a file with the " + size + " of all of them, or NAME=FILE.npy for each"});
  }
  const std::string bytes = read_regular_file(path, expected);
  if (bytes.size() != expected) {
    throw std::invalid_argument(
        fmt::format("{}: has {}, the model's inputs take {}; give a file with all of them, or NAME=FILE.npy for each",
                    path, counted(bytes.size(), "byte"), expected));
  }
  return {bytes.begin(), bytes.end()};
}

}  // namespace

void read_inputs(const std::vector<std::string>& words, const detent_desc& desc, harness::NativeOptions& native) {
  const std::span inputs(desc.inputs, desc.input_count);
  for (const FileWords::Word& word : FileWords("input", desc, inputs).parse(words)) {
    if (word.index == DETENT_NONE) {
      native.input_bytes = read_all_inputs(word.path, desc);
    } else {
      const TensorId tensor = inputs[word.index];
      native.input_tensors.push_back({tensor, harness::read_tensor_file(word.path, desc.tensors[tensor])});
    }
  }
}

OutputFiles::OutputFiles(const std::vector<std::string>& words, const detent_desc& desc) : desc_(desc) {
  std::set<std::string> paths;
  for (const FileWords::Word& word : FileWords("output", desc, {desc.outputs, desc.output_count}).parse(words)) {
    if (!paths.insert(word.path).second) {
      throw std::invalid_argument("--output: " + word.path + " is named twice; give each output a file of its own");
    }
    files_.push_back({word.path, word.index});
  }
}

std::string OutputFiles::text_of(const File& file, const std::string& all) const {
  const auto bytes_of = [&](std::uint32_t output) {
    const detent_tensor& tensor = desc_.tensors[desc_.outputs[output]];
    return static_cast<std::size_t>(tensor.block_bytes * tensor.block_count);
  };
  std::size_t position = 0;
  for (std::uint32_t before = 0; before < file.output; ++before) position += bytes_of(before);
  const detent_tensor& tensor = desc_.tensors[desc_.outputs[file.output]];
  return harness::format_tensor_file(file.path, tensor, all.substr(position, bytes_of(file.output)));
}

void OutputFiles::write(const std::vector<std::uint8_t>& outputs) const {
  const std::string all(outputs.begin(), outputs.end());
  std::vector<std::string> texts;
  for (const File& file : files_) {
    texts.push_back(file.output == DETENT_NONE ? all : text_of(file, all));
  }
  std::vector<FileBytes> files;
  for (std::size_t i = 0; i < files_.size(); ++i) files.push_back({files_[i].path, texts[i]});
  write_files_atomically(files);
}

}  // namespace detent::app
