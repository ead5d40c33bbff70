#include "runtime/engine/engine.h"
namespace detent{
Outcome run_layered(detent_context &) { return {make_error(DETENT_UNSUPPORTED), 0}; }
Outcome run_static_lists(detent_context &) { return {make_error(DETENT_UNSUPPORTED), 0}; }
void lay_out_layers(detent_context &) {}
detent_error lay_out_lists(detent_context &) { return make_error(DETENT_OK); }
void work_layer(detent_context &, Worker &) {}
void work_list(detent_context &, Worker &) {}
std::uint32_t workers_outside(detent_context &) { return 0; }
}
