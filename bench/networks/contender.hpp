// What runs a network: Detent's program, with its own choices or with arguments, and ONNX Runtime in node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/networks/difference.hpp"

namespace detent::bench {

/// I8 elements at an end of the integers of an int8 network: what is turned to F32 next.
struct IntegerEnd {
  std::string name{};
  std::size_t channels = 1, pixels = 1;  ///< [1, channels, height * width], or a vector of `channels`
  bool is_blocked = false;               ///< Detent stores 16 channels of a pixel side by side (C16)
};

/// A network and the files that both sides are given.
struct Network {
  std::string spec{};              ///< "resnet18:224"
  std::string input_name{};        ///< of its only input
  std::size_t output_columns = 1;  ///< elements of the last dimension of its only output
  std::string onnx_file{};
  std::string input_file{};  ///< raw floats
  /// Of an int8 network: what is compared, and the form of it that has these as its only outputs, for either side.
  std::vector<IntegerEnd> ends{};
  std::string ends_package{}, ends_onnx_file{};
  StepLaw law{};  ///< how far they may lie apart
};

/// Runs of one process.
struct Turn {
  std::vector<double> runs_ms{};
  std::vector<float> output{};     ///< of one run; empty for Detent
  double processor_ms = 0;         ///< of the whole process
  std::uint64_t peak_bytes = 0;    ///< resident in the process
  std::uint64_t before_bytes = 0;  ///< of these before the runtime was loaded: the interpreter's. 0 for Detent
};

/// How to run: numbers of runs, and where files may be written.
struct TurnOptions {
  std::uint32_t workers = 1;
  std::uint32_t warmup = 10, repeat = 20;
  std::string folder{};
};

/// `detent run NETWORK --workers N --repeat K` with more arguments.
class DetentContender {
 public:
  DetentContender(std::string program, std::vector<std::string> arguments)
      : program_(std::move(program)), arguments_(std::move(arguments)) {}

  /// @throws std::runtime_error  the program failed
  [[nodiscard]] Turn measure(const Network& network, const TurnOptions& options) const;
  /// The output of one run; of an int8 network the elements at the ends of its integers, in the order of ONNX.
  /// @throws std::runtime_error
  [[nodiscard]] std::vector<float> compute(const Network& network, const TurnOptions& options) const;

 private:
  [[nodiscard]] std::vector<std::string> command(const std::string& model, const Network& network,
                                                 const TurnOptions& options) const;

  std::string program_;
  std::vector<std::string> arguments_;
};

/// The npm package onnxruntime-node in a process of its own.
class PeerContender {
 public:
  /// @param module  folder of the package   @param script  onnxruntime.js
  PeerContender(std::string module, std::string script) : module_(std::move(module)), script_(std::move(script)) {}

  /// Is the package there?
  [[nodiscard]] bool is_installed() const;
  /// Its version, once it has run.
  [[nodiscard]] const std::string& version() const { return version_; }
  /// @throws std::runtime_error  node or the package failed
  Turn measure(const Network& network, const TurnOptions& options);
  /// As of DetentContender. @throws std::runtime_error
  std::vector<float> compute(const Network& network, const TurnOptions& options);

 private:
  Turn run(const std::string& onnx_file, const Network& network, const TurnOptions& options);

  std::string module_, script_, version_{};
};

}  // namespace detent::bench
