// exp and log from IEEE additions and multiplications alone: the same bits on every machine. libm picks other code
// where the processor has fused operations, so its last bit may differ.
#pragma once

namespace detent::sim {

/// e^x, within 4 units in the last place; x from -700 to 700.
double portable_exp(double x);
/// Natural logarithm of x > 0 (no subnormals), within 4 units in the last place (absolute 1e-16 near 1).
double portable_log(double x);

}  // namespace detent::sim
