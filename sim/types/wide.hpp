// Products and sums of picoseconds that 64 bits do not hold.
#pragma once

namespace detent::sim {

__extension__ using Wide = unsigned __int128;

}  // namespace detent::sim
