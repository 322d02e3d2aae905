// Changes of a run's config after it was made: RUN/amendments.json, numbered, appended only, each for all
// iterations from a certain one on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/overlay.h"
#include "config/run_config.h"
#include "run/run_directory.h"

namespace rf {

struct Amendment {
  int number = 0;                           // 1, 2, ...
  std::string time;                         // UTC
  int from = 1;                             // the first iteration that it is for
  std::map<std::string, std::string> keys;  // "train.learning_rate" -> value as YAML: "0.0005"

  // "amendment 2, from iteration 12: train.learning_rate=0.0005"
  std::string text() const;
};

// By number; empty when there are none. Throws Error(kBadData), naming the file, when it is damaged.
std::vector<Amendment> read_amendments(const RunDirectory& run);

// Those that are for this iteration, by number.
std::vector<Amendment> amendments_for(const std::vector<Amendment>& all, int iteration);

// To be laid over the config in this order: of two that set one key the one with the higher number wins,
// whichever begins earlier.
std::vector<Overlay> overlays_of(const std::vector<Amendment>& amendments);

// run.yaml under these. Throws Error(kBadConfig).
RunConfig amended_config(const RunDirectory& run, const std::vector<Amendment>& amendments);

// Appends an amendment of these settings ("section.key=value") and returns it. Safe beside a stage that runs,
// which goes on with what it began with, and beside other calls. Throws
//   Error(kBadConfig) for what a config would not take (the same words), for keys that are fixed for the life
//     of a run, and for contradictions, in this iteration or with amendments that begin later;
//   Error(kUsage) when something of iteration `from` or a later one is sealed: it names the last manifest;
//   Error(kCannotWrite).
Amendment amend(const RunDirectory& run, const std::vector<std::string>& settings, int from);

}  // namespace rf
