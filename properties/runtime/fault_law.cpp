// Laws of faults on the single port: what runs, what the status says, and that the context can be used again.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "harness/instance.hpp"
#include "harness/run_native.hpp"
#include "properties/faulty_kernels.hpp"
#include "properties/law.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kFaulty{.most_ops = 15, .mutexes = true, .delays = true};
constexpr GraphOptions kFaultyRaceFree{.most_ops = 15, .mutexes = true, .delays = true, .race_free = true};

harness::InstanceOptions options_with(const GraphCase& g, FaultyKernels& kernels) {
  harness::InstanceOptions options;
  options.mode = g.mode;
  options.backends = {kernels.backend()};
  return options;
}

RC_GTEST_PROP(FaultLaw, F01_NoSuccessorOfAFailedOpRunsAndTheStatusNamesIt, ()) {
  law_of(graphs(kFaulty), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    FaultyKernels kernels(g.faulty_op, 42);
    harness::Instance instance(model.desc(), port, options_with(g, kernels));
    instance.fill(0);
    const detent_error error = instance.run().result.error;
    RC_ASSERT(error.status == DETENT_KERNEL_FAILED);
    RC_ASSERT(error.op == g.faulty_op);
    RC_ASSERT(error.code == 42);
    const std::string text = harness::describe_error(model.desc(), error);
    RC_ASSERT(text.find("op" + std::to_string(g.faulty_op)) != std::string::npos);
    assert_stopped_after_fault(model.desc(), kernels.executed(), g.faulty_op);
  });
}

RC_GTEST_PROP(FaultLaw, F01_AContextThatFailedRunsAgain, ()) {
  law_of(graphs(kFaultyRaceFree), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    FaultyKernels kernels(g.faulty_op, -1);
    harness::Instance instance(model.desc(), port, options_with(g, kernels));
    instance.fill(0);
    RC_ASSERT(instance.run().result.error.status == DETENT_KERNEL_FAILED);
    kernels.repair();
    instance.fill(0);
    const harness::Run again = instance.run();
    RC_ASSERT(again.result.error.status == DETENT_OK);
    RC_ASSERT(again.digest == harness::run_native(model.desc(), {.worker_count = 0}).digest);
  });
}

/// The op whose kernel asks for it is the last one that runs.
RC_GTEST_PROP(FaultLaw, F07_ACancelledRunStopsAndTheNextOneIsWhole, ()) {
  law_of(graphs(kFaultyRaceFree), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    FaultyKernels kernels(g.faulty_op, 0);
    harness::Instance instance(model.desc(), port, options_with(g, kernels));
    instance.fill(0);
    kernels.do_instead([](void* self) { detent_cancel(static_cast<detent_context*>(self)); }, instance.context());
    const detent_error error = instance.run().result.error;
    const bool was_last = kernels.executed().size() == model.desc().op_count;
    RC_ASSERT(error.status == (was_last ? error.status : DETENT_CANCELLED));
    RC_ASSERT(error.status == DETENT_CANCELLED || error.status == DETENT_OK);
    assert_stopped_after_fault(model.desc(), kernels.executed(), g.faulty_op);
    kernels.repair();
    kernels.forget();
    instance.fill(0);
    const harness::Run again = instance.run();
    RC_ASSERT(again.result.error.status == DETENT_OK);
    RC_ASSERT(kernels.executed().size() == model.desc().op_count);
    RC_ASSERT(again.digest == harness::run_native(model.desc(), {.worker_count = 0}).digest);
  });
}

RC_GTEST_PROP(FaultLaw, F12_AnAnswerThatNobodyAwaitsIsRefused, ()) {
  law_of(graphs(kFaulty), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    harness::Instance instance(model.desc(), port, {.mode = g.mode});
    instance.fill(0);
    const std::uint64_t digest = instance.run().digest;
    RC_ASSERT(detent_complete(instance.context(), g.faulty_op, 0) == DETENT_FOREIGN_COMPLETION);
    instance.fill(0);
    const harness::Run again = instance.run();
    RC_ASSERT(again.result.error.status == DETENT_OK);
    RC_ASSERT(again.digest == digest);
  });
}

RC_GTEST_PROP(FaultLaw, F04_AWorkerThatCannotStartIsAStatus, ()) {
  law_of(graphs(kFaulty), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();  // cannot start any
    const harness::Instance instance(model.desc(), port,
                                     {.mode = g.mode, .scheduler = g.scheduler, .worker_count = g.workers + 1});
    RC_ASSERT(instance.status() == (g.mode == DETENT_MODE_SERIAL ? DETENT_OK : DETENT_WORKER_FAILED));
  });
}

constexpr std::uint8_t kUntouched = 0xA5;

/// Init, run and end in `bytes` of memory that begins `shift` bytes into a buffer; what lies around is left alone.
detent_status run_in(const detent_desc& desc, const detent_config& config, std::size_t shift, std::size_t bytes) {
  std::vector<std::uint8_t> memory(shift + bytes + 256, kUntouched);
  detent_context* context = nullptr;
  detent_error error{};
  const detent_status status = detent_init(memory.data() + shift, bytes, &desc, &config, &context, &error);
  RC_ASSERT((status == DETENT_OK) == (context != nullptr));
  if (status == DETENT_OK) {
    detent_result result{};
    RC_ASSERT(detent_run(context, &result) == DETENT_OK);
    RC_ASSERT(detent_deinit(context) == DETENT_OK);
  }
  const auto is_untouched = [](std::uint8_t byte) { return byte == kUntouched; };
  const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(shift);
  RC_ASSERT(std::all_of(memory.begin(), begin, is_untouched));
  RC_ASSERT(std::all_of(begin + static_cast<std::ptrdiff_t>(bytes), memory.end(), is_untouched));
  return status;
}

/// The arena that is asked for suffices at every alignment; a smaller one is refused or suffices, too.
RC_GTEST_PROP(FaultLaw, F09_TheArenaThatIsAskedForSuffices, ()) {
  law_of(graphs(kFaulty), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    detent_config config = detent_default_config(&port);
    const detent_backend builtin = detent_cpu_backend("*", detent_builtin_kernels());
    config.backends = &builtin;
    config.backend_count = 1;
    config.mode = g.mode;
    config.worker_count = 1;
    const std::size_t bytes = detent_arena_bytes(&model.desc(), &config);
    const std::size_t shift = g.seed % 129;
    RC_ASSERT(run_in(model.desc(), config, shift, bytes) == DETENT_OK);
    RC_ASSERT(run_in(model.desc(), config, shift, bytes / 2) == DETENT_NO_SPACE);
    for (std::size_t less = 8; less <= 256 && less <= bytes; less += 8) {
      const detent_status status = run_in(model.desc(), config, shift, bytes - less);
      RC_ASSERT(status == DETENT_OK || status == DETENT_NO_SPACE);
    }
  });
}

}  // namespace
}  // namespace detent::laws
