// A match over the ranks of a job, with a journal that survives a crash, and how its result is shown.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "arena/match.h"
#include "arena/score.h"
#include "comm/communicator.h"
#include "run/json_file.h"

namespace rf {

// Finished games of a match, one JSON line each, a file a rank. Lines of another match (another `key`) and
// torn ones are passed over.
class MatchJournal {
 public:
  // Games that any rank wrote before. Rank 0 calls this.
  static std::vector<MatchGame> read(const std::filesystem::path& folder, const std::string& key);
  MatchJournal(const std::filesystem::path& folder, std::string key, int rank);
  void add(const MatchGame& game);

 private:
  std::filesystem::path path_;
  std::string key_;
  bool fresh_line_ = false;  // begin with an empty line: the last call may have torn one
};

struct MatchPlan {
  std::string what;  // for progress lines: "gate 3"
  int games = 0;     // even
  int games_in_parallel = 1;
  std::uint64_t seed = 0;
  int iteration = 0;
  std::vector<std::vector<Action>> openings;
  double progress_seconds = 5;
  std::filesystem::path journal;  // folder; empty for none
  std::string journal_key;
};

// Collective. All games by index at rank 0, nothing elsewhere; `interrupted` is the same on all ranks.
struct MatchResult {
  std::vector<MatchGame> games;
  bool interrupted = false;
};
MatchResult run_match(const Communicator& ranks, const Game& game, const Player& a, const Player& b,
                      const MatchPlan& plan);

// wins draws losses points games, the same for games in which A moved first and second, duplicates, share.
Json score_json(const MatchScore& score);
// The table for people.
std::string score_table(const MatchScore& score);

}  // namespace rf
