// What a main does, in order: memory objects, buffers in them, calls and devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::models::tvm {

/// A piece of memory with an address of its own. Objects never overlap each other.
struct MemoryObject {
  enum class Kind : std::uint8_t {
    kWorkspacePool,  ///< shared arena
    kConstPool,      ///< pooled constants; read only
    kInput,
    kOutput,
    kWorkspace,  ///< from TVMBackendAllocWorkspace in main (planned without USMP)
    kConstant,   ///< file-scope array, or a weight passed to main
    kState       ///< what outlives calls and is no argument: one byte that calls which may use it read and write
  } kind = Kind::kWorkspacePool;
  std::string name;
  std::uint64_t size_bytes = 0;     ///< 0: not told
  std::uint32_t position = 0;       ///< kInput, kOutput: among them
  std::string dtype;                ///< kInput, kOutput: "float32"; "": not told
  std::vector<std::int64_t> shape;  ///< kInput, kOutput; empty: not told
};

/// A named place in an object: a tensor that main hands from operator to operator.
struct Buffer {
  std::string name;  ///< "sid_7_let", "output_buffer_var", "constant_0"
  std::uint32_t object = 0;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;  ///< 0: the text does not tell
  std::string dtype;             ///< "float32"; "": not told
  std::uint32_t line = 0;
};

struct Argument {
  enum class Kind : std::uint8_t { kBuffer, kPool, kDevice, kNull } kind = Kind::kNull;
  std::uint32_t index = 0;          ///< kBuffer: into buffers; kPool: into objects; kDevice: into devices
  std::vector<std::int64_t> shape;  ///< packed calls
  std::string dtype;                ///< packed calls: "float32"
};

struct Call {
  enum class Kind : std::uint8_t {
    kOperator,
    kCopy  ///< a loop in main that copies arguments[1] to arguments[0]
  } kind = Kind::kOperator;
  std::string function;               ///< C symbol; "copy" for kCopy
  std::vector<Argument> arguments;    ///< as the function takes them; of a packed call: its tensors
  std::uint64_t copy_bytes = 0;       ///< kCopy
  std::uint32_t device = UINT32_MAX;  ///< offloaded: index into devices
  std::uint32_t line = 0;
  std::string before, after;  ///< device hooks that bracket this call: C symbols, or ""
};

/// A device context of main, with the hooks around all of its calls.
struct Device {
  std::string name;                  ///< "device_context_ethos_u"
  std::string activate, deactivate;  ///< C symbols, or ""
};

/// How main takes its parameters, in order.
struct MainParameter {
  enum class Kind : std::uint8_t { kObject, kDevice } kind = Kind::kObject;
  std::uint32_t index = 0;
  std::string type;  ///< as declared, "float *"
  std::string name;
};

struct Program {
  std::string file;  ///< of the operators
  std::vector<MemoryObject> objects;
  std::vector<Buffer> buffers;
  std::vector<Call> calls;
  std::vector<Device> devices;
  std::vector<MainParameter> parameters;
  std::vector<std::uint32_t> inputs, outputs;  ///< objects, by position
  bool prints = false;                         ///< main, with printf
  bool packed = false;                         ///< operators and main take TVMValue arrays
  std::vector<std::string> notes;
};

}  // namespace detent::models::tvm
