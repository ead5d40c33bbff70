// One step of a thread: what it does to which shared object, and which other steps it conflicts with.
#pragma once

#include <cstdint>

namespace detent::verify::explore {

using ThreadId = std::uint32_t;
using ObjectId = std::uint32_t;
inline constexpr std::uint32_t kMaxThreads = 64;
inline constexpr ThreadId kNoThread = UINT32_MAX;

/// What steps are about. Two steps conflict if they name the same object and one of them is exclusive.
inline constexpr ObjectId kNoObject = UINT32_MAX;
inline constexpr ObjectId kTokenObjects = 0;  ///< + slot: its binary notification
inline constexpr ObjectId kClockObject = 64;
inline constexpr ObjectId kMutexObjects = 65;  ///< + number, at most 60
inline constexpr ObjectId kFenceObject = 126;
inline constexpr ObjectId kOpObject = 127;     ///< the bytes that racing ops share
inline constexpr ObjectId kWordObjects = 128;  ///< + number of the word

enum class StepKind : std::uint8_t {
  kBegin,   ///< a thread starts
  kRead,    ///< of a word
  kWrite,   ///< of a word
  kUpdate,  ///< of a word: read and write in one
  kFence,   ///< access 0: seq_cst; kAccessPaired: acquire and release. The engine has none
  kLock,
  kWait,    ///< a notification is consumed, or its deadline has come
  kNotify,  ///< shared: two of them have the effect of one
  kJoin,
  kPause,
  kOp,       ///< the body of an op that races with others
  kTime,     ///< exclusive: a deadline passes; shared: the clock is read
  kIdleWait  ///< nobody else can run
};

/// How a word is accessed; as Access of runtime/base/atomic.h.
struct Step {
  StepKind kind = StepKind::kBegin;
  bool exclusive = false;  ///< once executed: did it really change the word?
  std::uint8_t access = 0;
  ObjectId object = kNoObject;
  const void* word = nullptr;  ///< its address, if known: a write that changes nothing then counts as a read
  std::uint32_t expected = 0;  ///< of an update that compares
  bool compares = false;       ///< an update that writes only where it finds `expected`; else it is a read
};

inline bool conflicts(const Step& a, const Step& b) {
  return a.object == b.object && a.object != kNoObject && (a.exclusive || b.exclusive);
}

}  // namespace detent::verify::explore
