// The `detent` program: parses the command line, runs one command, turns bad input into exit code 2.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "app/manual/arrange.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/program.hpp"
#include "cli/standard_output.hpp"

#ifdef __GLIBC__  // said by the headers above
#include <malloc.h>
#endif

namespace {

int parse_and_run(int argc, char** argv) {
  const std::vector<std::string> typed(argv + 1, argv + argc);
  detent::cli::Action action;
  const auto parser = detent::cli::make_parser(action, typed.empty() ? "" : typed.front());
  const std::vector<std::string> words = detent::app::arrange_words(detent::cli::pages_of(*parser), typed);
  try {
    detent::cli::parse(*parser, words);
  } catch (const CLI::CallForHelp&) {
    std::cout << detent::cli::help_for(words);
    return detent::cli::kHolds;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << "\n";
    return detent::cli::kHolds;
  } catch (const CLI::ParseError& error) {
    detent::cli::print_error(detent::cli::explain(error, words));
    return detent::cli::kBadInput;
  }
  detent::cli::check_outputs(*parser);
  const bool is_quiet = std::ranges::any_of(words, [](const auto& word) { return word == "--quiet" || word == "-q"; });
  std::optional<detent::cli::Heartbeat> heartbeat;
  if (!is_quiet) heartbeat.emplace("detent " + words.front());
  return action();
}

/// What is freed stays here for what is made next: of a model of a million ops, memory that goes back and comes again,
/// page by page, takes a tenth of the processor time.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, INT_MAX);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

/// Exceptions as exit codes.
int guarded_run(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
    detent::cli::print_error("out of memory: the model does not fit; try a smaller one or --timing-only");
    return detent::cli::kUnknown;
  } catch (const std::exception& error) {
    detent::cli::print_error(error.what());
    return detent::cli::kBadInput;
  }
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  detent::cli::StandardOutput output;
  return output.finish(guarded_run(argc, argv));
}
