// The whole YOLOv8n through the engine.
#pragma once

namespace detent::bench {

/// Median CPU time of one run of the zoo's yolov8n at 640x640, milliseconds, on the calling thread: serial engine, no
/// trace, after one run to warm up.
/// @throws std::runtime_error  the model does not bind or run
double yolov8n_model_ms(int rounds);

}  // namespace detent::bench
