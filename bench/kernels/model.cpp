// The whole YOLOv8n through the engine, on the calling thread.
#include "bench/kernels/model.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bench/kernels/clock.hpp"
#include "harness/instance.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::bench {

double yolov8n_model_ms(int rounds) {
  const models::LoweredModel model = models::lower(models::make_zoo_model("yolov8n:640"));
  const detent_port port = detent_port_single();
  harness::InstanceOptions options;
  options.mode = DETENT_MODE_SERIAL;
  options.worker_count = 0;
  options.trace = false;
  harness::Instance instance(model.desc(), port, options);
  if (instance.status() != DETENT_OK) throw std::runtime_error(harness::describe_error(model.desc(), instance.error()));
  instance.fill(1);
  std::vector<double> times;
  for (int i = 0; i <= rounds; ++i) {
    const double begin = thread_cpu_ms();
    const detent_result result = instance.run_untraced();
    if (result.error.status != DETENT_OK) throw std::runtime_error(harness::describe_error(model.desc(), result.error));
    if (i > 0) times.push_back(thread_cpu_ms() - begin);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace detent::bench
