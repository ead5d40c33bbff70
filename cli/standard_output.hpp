// Standard output as a file that can fail: an answer that nobody received is not exit code 0.
#pragma once

#include <array>
#include <streambuf>
#include <string_view>

namespace detent::cli {

/// Gathers text for a descriptor and remembers the first failure; what follows it is dropped.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);
  ~DescriptorBuffer() override = default;
  DescriptorBuffer(const DescriptorBuffer&) = delete;
  DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

  /// errno of the first write that failed; 0 while none has.
  [[nodiscard]] int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;

 private:
  void write_all(std::string_view text);
  void flush_gathered();

  int descriptor_;
  bool is_terminal_;  ///< each line is shown at once
  int error_ = 0;
  std::array<char, 1U << 16U> gathered_{};
};

/// While it lives, std::cout goes through a DescriptorBuffer. One per process, first thing in main.
///
/// A reader that goes away (`detent ... | head`) is a failed write like any other: SIGPIPE does not end the program
/// before its files are written, and programs that it starts have the signal as it was. Descriptors 0 to 2 that were
/// closed are opened on /dev/null so that no file of ours takes their place; writing to such a standard output fails.
class StandardOutput {
 public:
  StandardOutput();
  ~StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  /// Write what is left. @return  `code`; kBadInput after a message on standard error when something was lost
  int finish(int code);

 private:
  DescriptorBuffer buffer_;
  std::streambuf* before_;
};

}  // namespace detent::cli
