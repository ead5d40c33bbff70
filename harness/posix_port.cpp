// Memory of the POSIX port, aligned as it asks.
#include "harness/posix_port.hpp"

#include <stdexcept>

namespace detent::harness {

PosixPort::PosixPort() : state_(::operator new(detent_port_posix_bytes(), kAlign)) {
  if (detent_port_posix(state_, detent_port_posix_bytes(), &port_) != DETENT_OK) {
    ::operator delete(state_, kAlign);
    throw std::runtime_error("posix port: cannot be made; raise the limits on threads or locked memory");
  }
}

PosixPort::~PosixPort() {
  // A context that waits for a late op cannot be taken down: its threads go on, on this port.
  if (port_.claim(port_.self) != DETENT_OK) return;
  ::operator delete(state_, kAlign);
}

}  // namespace detent::harness
