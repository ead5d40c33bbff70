/* What a device is: of operators (operator.h) and of device modules (device.h). */
#ifndef DETENT_RUNTIME_DEVICE_KIND_H_
#define DETENT_RUNTIME_DEVICE_KIND_H_

#include <detent/compiler.h>

/** Kind of the device that calculates. OTHER: none of them, such as a DSP. */
typedef DETENT_ENUM(detent_device_kind){DETENT_DEVICE_CPU = 0, DETENT_DEVICE_GPU = 1, DETENT_DEVICE_NPU = 2,
                                        DETENT_DEVICE_OTHER = 3} detent_device_kind;

#endif
