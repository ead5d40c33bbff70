// Native execution: builds the port, the policy and an instance, fills it and runs once.
#include "harness/run_native.hpp"

#include <cstring>
#include <stdexcept>
#include <thread>

#include "harness/digest.hpp"
#include "harness/faults/backend.hpp"
#include "harness/faults/port.hpp"
#include "harness/log_write.hpp"
#include "harness/posix_port.hpp"

namespace detent::harness {
namespace {

std::uint64_t input_bytes_of(const detent_desc& desc) {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    if (desc.regions[i].kind == DETENT_REGION_INPUT) bytes += desc.regions[i].size_bytes;
  }
  return bytes;
}

void copy_input(const Instance& instance, const std::vector<std::uint8_t>& bytes) {
  const detent_desc& desc = instance.desc();
  const std::uint64_t expected = input_bytes_of(desc);
  if (bytes.size() != expected) {
    throw std::invalid_argument("input: " + std::to_string(bytes.size()) + " bytes, but the input regions hold " +
                                std::to_string(expected) + "; give all of them in region order");
  }
  std::size_t position = 0;
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    if (desc.regions[i].kind != DETENT_REGION_INPUT) continue;
    std::memcpy(detent_region_base(instance.context(), i), bytes.data() + position, desc.regions[i].size_bytes);
    position += desc.regions[i].size_bytes;
  }
}

/// All INPUT regions in order.
std::vector<std::uint8_t> input_of(const Instance& instance) {
  const detent_desc& desc = instance.desc();
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    if (desc.regions[i].kind != DETENT_REGION_INPUT) continue;
    const auto* const base = static_cast<const std::uint8_t*>(detent_region_base(instance.context(), i));
    bytes.insert(bytes.end(), base, base + desc.regions[i].size_bytes);
  }
  return bytes;
}

void copy_blocks(const Instance& instance, const TensorBytes& given) {
  const detent_tensor& tensor = instance.desc().tensors[given.tensor];
  if (given.bytes.size() != tensor.block_bytes * tensor.block_count) {
    throw std::invalid_argument("input tensor " + std::to_string(given.tensor) + ": " +
                                std::to_string(given.bytes.size()) + " bytes, but its blocks hold " +
                                std::to_string(tensor.block_bytes * tensor.block_count) + "; give all of them");
  }
  auto* to = static_cast<std::uint8_t*>(detent_tensor_data(instance.context(), given.tensor));
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    std::memcpy(to + block * tensor.stride_bytes, given.bytes.data() + block * tensor.block_bytes, tensor.block_bytes);
  }
}

}  // namespace

InstanceOptions instance_options(const NativeOptions& options, const NamedPolicy& policy) {
  InstanceOptions result;
  set_engine(options.engine, result);
  result.mode = native_mode(options.engine);
  result.policy = policy.policy();
  result.backends = options.backends;
  result.trace = options.trace;
  result.op_states = options.op_states;
  if (options.extend && options.faults.empty()) options.extend(result);
  return result;
}

void fill_instance(Instance& instance, const NativeOptions& options) {
  instance.fill(options.seeds.input);
  if (!options.input_bytes.empty()) copy_input(instance, options.input_bytes);
  for (const TensorBytes& given : options.input_tensors) copy_blocks(instance, given);
}

namespace {

/// What is late still computes for a while; then the context can be reset. It is quarantined until then.
void wait_until_reset(Instance& instance) {
  while (detent_reset(instance.context()) == DETENT_BUSY) std::this_thread::yield();
}

RunAgain run_again(Instance& instance, const NativeOptions& options, FaultInjector& injector) {
  fill_instance(instance, options);
  injector.begin_run(false, 0);
  const Run run = instance.run();
  RunAgain again = injector.finish_again(run.result.error.status);
  if (again.status == DETENT_OK) again.digest = run.digest;
  wait_until_reset(instance);  // an op that is late without any fault ends, too: the context can be taken down
  return again;
}

/// The run, and the one after it: on the same context, or on a new one where the first could not start its workers.
Run run_with_faults(const detent_port& inner, const detent_desc& desc, const NativeOptions& options) {
  check_faults(options.faults, desc, false);
  FaultInjector injector(options.faults, desc);
  FaultPort port(inner, injector,
                 {.logical_time = options.faults.has_late(), .failing_start = options.faults.failing_start});
  FaultyBackend backend(injector, options.backends, port.port());
  const auto now_ps = [&port] { return port.port().now_ps(port.port().self); };
  const NamedPolicy policy(options.engine.policy, options.seeds.schedule, options.engine.order);
  InstanceOptions words = instance_options(options, policy);
  words.backends = {backend.backend()};
  words.trace = false;  // a late op may still write its log
  words.op_deadline_ps = options.faults.op_deadline_ps;
  Run run;
  {
    Instance instance(desc, port.port(), words);
    if (instance.status() == DETENT_OK) {
      fill_instance(instance, options);
      injector.begin_run(true, now_ps());
      run = instance.run();
      if (options.keep_output && run.result.error.status == DETENT_OK)
        run.output = copy_outputs(desc, *instance.context());
      run.faults = injector.finish(run.result, now_ps());
      injector.release(now_ps());
      wait_until_reset(instance);
      run.faults->again = run_again(instance, options, injector);
    } else {
      run.result.error = instance.error();
      run.faults = FaultRecord{.error = run.result.error};
    }
  }
  if (run.result.error.status == DETENT_WORKER_FAILED) {
    port.let_start();
    Instance instance(desc, port.port(), words);
    if (instance.status() == DETENT_OK) run.faults->again = run_again(instance, options, injector);
  }
  run.faults->exact_times = options.faults.has_late();
  run.faults->slots = options.engine.workers;
  return run;
}

Run run_on(const detent_port& port, const detent_desc& desc, const NativeOptions& options) {
  if (!options.faults.empty()) return run_with_faults(port, desc, options);
  const NamedPolicy policy(options.engine.policy, options.seeds.schedule, options.engine.order);
  Instance instance(desc, port, instance_options(options, policy));
  Run run;
  if (instance.status() != DETENT_OK) {
    run.result.error = instance.error();
    return run;
  }
  fill_instance(instance, options);
  run = instance.run();
  if (options.keep_output) run.output = copy_outputs(desc, *instance.context());
  if (options.keep_log) run.log = format_log(desc, *instance.context());
  return run;
}

/// `work` with the port that the options ask for.
template <typename Work>
auto on_port(const NativeOptions& options, const Work& work) {
  if (options.engine.workers == 0) return work(detent_port_single());
  const PosixPort posix;
  detent_port port = posix.port();
  set_port(options.engine, port);
  return work(port);
}

}  // namespace

Run run_native(const detent_desc& desc, const NativeOptions& options) {
  return on_port(options, [&](const detent_port& port) { return run_on(port, desc, options); });
}

detent_error run_native_repeatedly(const detent_desc& desc, const NativeOptions& options, std::uint64_t runs,
                                   const std::function<bool(std::uint64_t number, const Run& run)>& on_run) {
  if (!options.faults.empty()) throw std::invalid_argument("faults belong to one run; leave them out of repeated ones");
  return on_port(options, [&](const detent_port& port) {
    const NamedPolicy policy(options.engine.policy, options.seeds.schedule, options.engine.order);
    Instance instance(desc, port, instance_options(options, policy));
    if (instance.status() != DETENT_OK) return instance.error();
    std::vector<std::uint8_t> input;
    for (std::uint64_t number = 0; number < runs; ++number) {
      if (options.keep_memory && number > 0) {
        copy_input(instance, input);
      } else {
        fill_instance(instance, options);
      }
      if (options.keep_memory && number == 0) input = input_of(instance);
      const Run run = instance.run();
      if (run.result.error.status != DETENT_OK) return run.result.error;
      if (!on_run(number, run)) break;
    }
    return detent_error{};  // OK
  });
}

NamedPolicy::NamedPolicy(const std::string& name, std::uint64_t seed, std::vector<std::uint32_t> order)
    : random_{seed}, order_(std::move(order)), given_{order_.data(), static_cast<std::uint32_t>(order_.size())} {
  if (name == "id") {
    policy_ = detent_policy_id();
  } else if (name == "priority") {
    policy_ = detent_policy_priority();
  } else if (name == "critical-path") {
    policy_ = detent_policy_critical_path();
  } else if (name == "fifo") {
    policy_ = detent_policy_fifo();
  } else if (name == "random") {
    policy_ = detent_policy_random(&random_);
  } else if (name == "given") {
    policy_ = detent_policy_given(&given_);
  } else {
    throw std::invalid_argument("policy: \"" + name +
                                "\" is unknown; use id, priority, critical-path, fifo, random or given");
  }
}

}  // namespace detent::harness
