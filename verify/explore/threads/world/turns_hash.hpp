// What each thread is about to do, its stack and registers, and what the threads wait for -> a StateHash.
#pragma once

#include "verify/explore/threads/order/state.hpp"
#include "verify/explore/threads/world/turns.hpp"

namespace detent::verify::explore {

void hash_turns(const Turns& turns, StateHash& hash);

}  // namespace detent::verify::explore
