// The `detent` program: parses the command line, runs one command, turns bad input into exit code 2.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <new>

#include "cli/command.hpp"
#include "cli/version.hpp"

namespace {

constexpr const char* kAbout =
    "Runs a compiled neural network with one small real-time runtime, natively and inside a SystemC model of the "
    "chip;\n"
    "shows how long it can take, that no schedule can corrupt a reused buffer, and that the output never depends on\n"
    "the schedule.\n\n"
    "MODEL is a zoo name (detent list models), a package made by import, or an op graph file (detent.graph/1).";

constexpr const char* kFooter =
    "Examples:\n"
    "  detent check yolov8n --platform quad_npu --runs 200 --out build/demo\n"
    "  detent run resnet18 --workers 2 --policy critical-path\n"
    "  detent verify bad_reuse_war\n"
    "  detent explore bad_reuse_war\n"
    "  detent bound mynet.json --cores cpu=4,npu=1\n\n"
    "Exit codes: 0 holds or done, 1 a law is violated, 2 bad input or usage, 3 unknown (a limit was reached).";

int parse_and_run(int argc, char** argv) {
  CLI::App app(kAbout, "detent");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("detent ") + detent::cli::kVersion);
  app.require_subcommand(1);
  detent::cli::Action action;
  detent::cli::add_check(app, action);
  detent::cli::add_run(app, action);
  detent::cli::add_simulate(app, action);
  detent::cli::add_merge(app, action);
  detent::cli::add_calibrate(app, action);
  detent::cli::add_verify(app, action);
  detent::cli::add_explore(app, action);
  detent::cli::add_bound(app, action);
  detent::cli::add_npu(app, action);
  detent::cli::add_plan(app, action);
  detent::cli::add_import(app, action);
  detent::cli::add_graph(app, action);
  detent::cli::add_emit(app, action);
  detent::cli::add_replay(app, action);
  detent::cli::add_report(app, action);
  detent::cli::add_list(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? detent::cli::kHolds : detent::cli::kBadInput;
  }
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "detent: out of memory: the model does not fit; try a smaller one or --timing-only\n";
    return detent::cli::kUnknown;
  } catch (const std::exception& error) {
    std::cerr << "detent: " << error.what() << "\n";
    return detent::cli::kBadInput;
  }
}
