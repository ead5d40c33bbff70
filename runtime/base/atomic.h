/* Shared words: the only way in which the engine touches memory that two slots may access at the same time.
 *
 * Every accessor takes the AccessSite from which it is called and tells the port first, when the port asked for it
 * (DETENT_CP_ATOMIC): natively that is one predicted branch, under the explorer it is a scheduling point. The index of
 * the checkpoint names the word: (byte offset from the context / 4) * 2 + (1 if the access may write). Offsets depend
 * on the Desc and the config alone, so the number of a word is the same in each run.
 *
 * Orders: *_relaxed none; load_acquire / store_release pair up; *_seq_cst are sequentially consistent, so that "I write
 * mine, then read yours" on both sides never lets both sides read the old value (no separate fence is needed).
 */
#ifndef DETENT_RUNTIME_ATOMIC_H_
#define DETENT_RUNTIME_ATOMIC_H_

#include <detent/port.h>

#include "runtime/base/compiler.h"

namespace detent {

/// Where an access comes from. slot == DETENT_NONE: a thread that is none of the engine's (detent_complete).
struct AccessSite {
  const detent_port *port;
  const void *base;  ///< of the context: words are numbered from here
  std::uint32_t slot;
};

/// Tell the port that the engine has come to a step it asked for.
inline void checkpoint(const AccessSite &site, detent_checkpoint kind, std::uint32_t index) {
  if ((site.port->checkpoint_mask & static_cast<std::uint32_t>(kind)) != 0) [[unlikely]] {
    site.port->checkpoint(site.port->self, kind, site.slot, index);
  }
}

/// How an accessor touches its word, for ports that ask for DETENT_CP_ATOMIC_ORDERS. Neither of the first two: fenced.
enum MemoryOrder : std::uint32_t {
  kAccessRelaxed = 1,
  kAccessPaired = 2,  ///< acquire or release
  kAccessUpdate = 4,  ///< reads and writes in one step
  kAccessWide = 8     ///< 8 bytes, else 4
};

/// An access as the index of DETENT_CP_ATOMIC tells it to a port that asks for DETENT_CP_ATOMIC_ORDERS.
struct AtomicAccess {
  std::uint32_t word;   ///< byte offset from the context / 4
  bool writes;          ///< or may write
  std::uint32_t order;  ///< MemoryOrder bits
};
constexpr std::uint32_t kMemoryOrders = 16;

constexpr std::uint32_t with_order(std::uint32_t index, std::uint32_t order) { return index * kMemoryOrders + order; }
constexpr AtomicAccess access_of(std::uint32_t index) {
  return {index / (2 * kMemoryOrders), index / kMemoryOrders % 2 != 0, index % kMemoryOrders};
}

template <typename T>
struct SameType {
  using Type = T;
};
/// T, as a parameter from which T is not deduced: the word alone says its type, and 0u fits where uint32_t is a long.
template <typename T>
using Same = typename SameType<T>::Type;

template <typename T>
void announce_access(const AccessSite &site, const T &word, bool writes, std::uint32_t order) {
  static_assert(sizeof(T) == 4, "one access on every processor, also on those with 32-bit addresses");
  if ((site.port->checkpoint_mask & DETENT_CP_ATOMIC) != 0) [[unlikely]] {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(&word) - reinterpret_cast<std::uintptr_t>(site.base);
    std::uint32_t index = static_cast<std::uint32_t>(offset / 4) * 2 + (writes ? 1u : 0u);
    if ((site.port->checkpoint_mask & DETENT_CP_ATOMIC_ORDERS) != 0) index = with_order(index, order);
    site.port->checkpoint(site.port->self, DETENT_CP_ATOMIC, site.slot, index);
  }
}

/// As announce_access, for an update that writes only where it finds `expected`.
template <typename T>
void announce_comparison(const AccessSite &site, const T &word, T expected) {
  static_assert(sizeof(T) == 4);
  if ((site.port->checkpoint_mask & DETENT_CP_ATOMIC) != 0) [[unlikely]] {
    checkpoint(site, DETENT_CP_COMPARE, expected);
    announce_access(site, word, true, kAccessUpdate);
  }
}

template <typename T>
T load_relaxed(const AccessSite &site, const T &word) {
  announce_access(site, word, false, kAccessRelaxed);
  return atomics::load<atomics::kRelaxed>(word);
}

template <typename T>
T load_acquire(const AccessSite &site, const T &word) {
  announce_access(site, word, false, kAccessPaired);
  return atomics::load<atomics::kAcquire>(word);
}

template <typename T>
T load_seq_cst(const AccessSite &site, const T &word) {
  announce_access(site, word, false, 0);
  return atomics::load<atomics::kSeqCst>(word);
}

template <typename T>
void store_relaxed(const AccessSite &site, T &word, Same<T> value) {
  announce_access(site, word, true, kAccessRelaxed);
  atomics::store<atomics::kRelaxed>(word, value);
}

template <typename T>
void store_release(const AccessSite &site, T &word, Same<T> value) {
  announce_access(site, word, true, kAccessPaired);
  atomics::store<atomics::kRelease>(word, value);
}

template <typename T>
void store_seq_cst(const AccessSite &site, T &word, Same<T> value) {
  announce_access(site, word, true, 0);
  atomics::store<atomics::kSeqCst>(word, value);
}

template <typename T>
T exchange_seq_cst(const AccessSite &site, T &word, Same<T> value) {
  announce_access(site, word, true, kAccessUpdate);
  return atomics::exchange<atomics::kSeqCst>(word, value);
}

/// True if `word` held `expected` and now holds `desired`. Sequentially consistent either way.
template <typename T>
bool compare_exchange_seq_cst(const AccessSite &site, T &word, Same<T> expected, Same<T> desired) {
  announce_comparison(site, word, expected);
  return atomics::compare_exchange(word, expected, desired);
}

/// The value before.
template <typename T>
T fetch_add_seq_cst(const AccessSite &site, T &word, Same<T> amount) {
  announce_access(site, word, true, kAccessUpdate);
  return atomics::fetch_add<atomics::kSeqCst>(word, amount);
}

}  // namespace detent

#endif
