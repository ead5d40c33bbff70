// Names and phrases of the statuses, from the one list in status.h.
#include "runtime/status.h"

extern "C" {

const char* detent_status_name(detent_status status) {
  switch (status) {
#define DETENT_CASE(name, number, catalogue, text) \
  case DETENT_##name:                              \
    return #name;
    DETENT_STATUS_LIST(DETENT_CASE)
#undef DETENT_CASE
  }
  return "?";
}

const char* detent_status_text(detent_status status) {
  switch (status) {
#define DETENT_CASE(name, number, catalogue, text) \
  case DETENT_##name:                              \
    return text;
    DETENT_STATUS_LIST(DETENT_CASE)
#undef DETENT_CASE
  }
  return "?";
}

const char* detent_status_catalogue(detent_status status) {
  switch (status) {
#define DETENT_CASE(name, number, catalogue, text) \
  case DETENT_##name:                              \
    return catalogue;
    DETENT_STATUS_LIST(DETENT_CASE)
#undef DETENT_CASE
  }
  return "";
}
}
