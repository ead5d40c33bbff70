// Names, catalogue numbers and phrases of the statuses, from the one list in status.h.
#include <detent/status.h>

namespace {

struct Row {
  detent_status status;
  const char *name;
  const char *catalogue;
  const char *text;
};

constexpr Row kRows[] = {
#define DETENT_ROW(name, number, catalogue, text) {DETENT_##name, #name, catalogue, text},
    DETENT_STATUS_LIST(DETENT_ROW)
#undef DETENT_ROW
};

constexpr Row kUnknown = {DETENT_OK, "?", "", "?"};

const Row &row_of(detent_status status) {
  for (const Row &row : kRows) {
    if (row.status == status) return row;
  }
  return kUnknown;
}

}  // namespace

extern "C" {

const char *detent_status_name(detent_status status) { return row_of(status).name; }

const char *detent_status_text(detent_status status) { return row_of(status).text; }

const char *detent_status_catalogue(detent_status status) { return row_of(status).catalogue; }
}
