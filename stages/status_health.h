// Signs that a run goes wrong, read from what its manifests say.
#pragma once

#include <string>
#include <vector>

#include "run/json_file.h"

namespace rf {

// Sentences, the gravest first; empty for a run in good health. `facts` as status_facts() makes them, without
// "warnings". `gated`: a candidate must win its match.
std::vector<std::string> health_warnings(const Json& facts, bool gated);

}  // namespace rf
