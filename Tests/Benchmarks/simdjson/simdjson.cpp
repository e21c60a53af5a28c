// The C face of simdjson's DOM for pipeline-bench; see build.sh.
#include <simdjson.h>

#include <string>

using namespace simdjson;

namespace {
struct Text {
  padded_string json;
  dom::parser parser;
};
}  // namespace

extern "C" {

const char *bench_name() {
  static const std::string name =
      "simdjson " + std::to_string(SIMDJSON_VERSION_MAJOR) + "." +
      std::to_string(SIMDJSON_VERSION_MINOR) + "." + std::to_string(SIMDJSON_VERSION_REVISION) +
      " DOM (" + get_active_implementation()->name() + ")";
  return name.c_str();
}

void *bench_load(const unsigned char *bytes, long count) {
  return new Text{padded_string(reinterpret_cast<const char *>(bytes), size_t(count)), {}};
}

long bench_parse(void *handle, bool reused) {
  Text *text = static_cast<Text *>(handle);
  dom::element root;
  if (reused) return text->parser.parse(text->json).get(root) ? -1 : long(root.type());
  dom::parser parser;
  return parser.parse(text->json).get(root) ? -1 : long(root.type());
}

long bench_sum(void *handle, const char *list) {
  Text *text = static_cast<Text *>(handle);
  dom::parser parser;
  dom::array rows;
  if (parser.parse(text->json)[list].get(rows)) return -1;
  long sum = 0;
  for (dom::element row : rows) {
    int64_t id;
    if (row["id"].get(id)) return -1;
    sum += id;
  }
  return sum;
}
}
