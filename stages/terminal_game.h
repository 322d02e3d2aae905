// One game in the terminal.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "players.h"
#include "search/search.h"
#include "stage_frame.h"
#include "versus.h"

namespace rf {

class TerminalGame {
 public:
  // No root noise and no temperature: the network plays its best. `simulations` 0: as in self-play.
  TerminalGame(const StageFrame& frame, const NetworkChoice& network, int simulations, std::uint64_t seed);
  // Plays to the end or until `quit` or the end of the input. Returns the exit status.
  int play(const bool human[2], std::istream& in, std::ostream& out);

 private:
  void think();
  void replay();  // state and search from moves_
  void show_hint(std::ostream& out);
  void engine_move(std::ostream& out);
  // False when the person leaves.
  bool human_move(const bool human[2], std::istream& in, std::ostream& out);

  const Game& game_;
  NetworkPlayer player_;
  Search search_;
  RandomStream stream_;
  std::unique_ptr<State> state_;
  std::vector<Action> moves_;
};

}  // namespace rf
