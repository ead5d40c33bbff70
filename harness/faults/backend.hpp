// FaultyBackend: the native back end whose ops fail, come late or hang as a FaultInjector says.
#pragma once

#include <vector>

#include "harness/faults/injector.hpp"

namespace detent::harness {

/// A back end around others, on any port.
class FaultyBackend {
 public:
  /// @param inner  asked in turn; the built-in kernels serve the rest. Only back ends without `dispatch`
  /// @param port   whose clock dates the events; outlives this, as the injector does
  FaultyBackend(FaultInjector& injector, std::vector<detent_backend> inner, const detent_port& port);
  FaultyBackend(const FaultyBackend&) = delete;
  FaultyBackend& operator=(const FaultyBackend&) = delete;

  /// Points to this object.
  [[nodiscard]] detent_backend backend();

 private:
  detent_status resolve(const char* name, detent_entity* entity) const;
  detent_dispatch execute(detent_context* context, const detent_entity& entity, std::int32_t* code);

  FaultInjector& injector_;
  std::vector<detent_backend> inner_;
  const detent_port& port_;
};

}  // namespace detent::harness
