// Pseudo terminals: programs as they behave where a person sits, and what this process would show there. Where the
// machine gives none, the test that asks for one is skipped.
#pragma once

#include <sys/types.h>

#include <string>

namespace detent::support {

/// A shell command on a pseudo terminal of its own, as its controlling terminal: Ctrl-C is a key here.
class TerminalProgram {
 public:
  /// @param command  for /bin/sh; what it shows ends in "\r\n", as on any terminal
  explicit TerminalProgram(const std::string& command, unsigned short columns = 80);
  ~TerminalProgram();  ///< ends the program if it still runs
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;

  /// Read until `text` is on the screen behind what earlier calls have waited for. False: the program ended, or nothing
  /// more came for a minute.
  bool wait_for(const std::string& text);
  /// As typed; "\x03" is Ctrl-C.
  void type(const std::string& keys);
  /// Read to the end. @return  exit code; 128 + number of the signal that ended it
  int finish();
  [[nodiscard]] const std::string& screen() const { return screen_; }

 private:
  bool read_more();

  int master_ = -1;
  pid_t child_ = -1;
  std::string screen_;
  std::size_t seen_ = 0;  ///< of the screen, by wait_for
};

/// While it lives, standard output and standard error of this process are a pseudo terminal.
class OnTerminal {
 public:
  explicit OnTerminal(unsigned short columns = 80);
  ~OnTerminal();
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  /// What came since the last call.
  std::string read();
  /// The same, as soon as `text` is in it; without it where nothing more came for a minute.
  std::string read_until(const std::string& text);

 private:
  int master_ = -1;
  int before_[2] = {-1, -1};
};

}  // namespace detent::support
