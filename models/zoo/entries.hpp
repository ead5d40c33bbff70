// Build functions of the zoo, one file each family. Parameters come in the order of the entry's usage.
#pragma once

#include "models/core/model.hpp"
#include "models/zoo/parameters.hpp"

namespace detent::models::zoo_entries {

Model yolov8n(const ZooParameters& parameters);           ///< size, a multiple of 32
Model yolov8n_npu(const ZooParameters& parameters);       ///< size, a multiple of 32
Model yolov8n_int8(const ZooParameters& parameters);      ///< size, a multiple of 32
Model resnet18(const ZooParameters& parameters);          ///< size
Model mobilenetv2(const ZooParameters& parameters);       ///< size
Model resnet18_int8(const ZooParameters& parameters);     ///< size
Model mobilenetv2_int8(const ZooParameters& parameters);  ///< size
Model branchnet(const ZooParameters& parameters);         ///< branches
Model branchnet_int8(const ZooParameters& parameters);    ///< branches
Model calibration(const ZooParameters& parameters);       ///< sections, smallest images first

Model cascade(const ZooParameters& parameters);   ///< size of the image
Model refine(const ZooParameters& parameters);    ///< bound of the loop
Model fallback(const ZooParameters& parameters);  ///< size of the image

Model diamond(const ZooParameters& parameters);          ///< branches
Model chain(const ZooParameters& parameters);            ///< ops
Model wide(const ZooParameters& parameters);             ///< ops side by side
Model layered(const ZooParameters& parameters);          ///< seed, ops
Model erdos(const ZooParameters& parameters);            ///< seed, ops
Model series_parallel(const ZooParameters& parameters);  ///< seed, ops

Model bad_reuse_war(const ZooParameters& parameters);
Model bad_reuse_waw(const ZooParameters& parameters);
Model bad_cycle(const ZooParameters& parameters);
Model bad_duplicate_edge(const ZooParameters& parameters);
Model bad_overlap(const ZooParameters& parameters);
Model bad_out_of_arena(const ZooParameters& parameters);
Model bad_branch(const ZooParameters& parameters);
Model bad_retry(const ZooParameters& parameters);

}  // namespace detent::models::zoo_entries
