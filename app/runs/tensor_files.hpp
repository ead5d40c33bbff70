// --input and --output of run: FILE or NAME=FILE -> bytes for tensors, and bytes of tensors -> files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/run_native.hpp"

namespace detent::app {

/// Read what the words of --input name into `native`: one FILE with all input regions, or NAME=FILE for each input that
/// is not to be seeded. A FILE whose own name has a "=" is written with a folder before it: ./a=b.
/// @throws std::invalid_argument  an input that the model does not have, or twice; InputError: a file that does not fit
void read_inputs(const std::vector<std::string>& words, const detent_desc& desc, harness::NativeOptions& native);

/// The files that --output asks for: one FILE with all outputs one after another, or NAME=FILE for some of them.
class OutputFiles {
 public:
  /// @param desc  outlives the object
  /// @throws std::invalid_argument  an output that the model does not have, or twice; a file twice
  OutputFiles(const std::vector<std::string>& words, const detent_desc& desc);
  [[nodiscard]] bool empty() const { return files_.empty(); }
  /// All of them, or none. @param outputs  harness::Run::output
  /// @throws InputError  a file that cannot be written
  void write(const std::vector<std::uint8_t>& outputs) const;

 private:
  struct File {
    std::string path{};
    std::uint32_t output = DETENT_NONE;  ///< index into desc.outputs; DETENT_NONE: all
  };
  [[nodiscard]] std::string text_of(const File& file, const std::string& all) const;

  const detent_desc& desc_;
  std::vector<File> files_{};
};

}  // namespace detent::app
