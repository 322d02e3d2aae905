// Which columns of Connect Four positions win, draw and lose: what the third column of
// tests/data/connect_four/ was made with.
//   connect_four_table 24 < positions > values
// Reads lines "moves score ...", 7 x 6 board; writes "moves score columns", one character a column for the
// player to move: + wins, = draws, - loses, . is full. 24: the table takes 2^24 slots of 16 bytes. The best
// column's sign must be that of the score; exit code 1 when one is not.
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "base/error.h"
#include "games/registry.h"
#include "solve/connect_four_solver.h"

namespace rf {
namespace {

std::string columns_text(const Solution& solution, int columns) {
  std::string text(std::size_t(columns), '.');
  for (std::size_t i = 0; i < solution.actions.size(); ++i) {
    text[std::size_t(solution.actions[i])] = "-=+"[*solution.values[i] + 1];
  }
  return text;
}

int run(int table_bits) {
  const auto game = make_game({"connect_four", {}});
  ConnectFourSolver solver(7, 6, table_bits, ~std::uint64_t(0) >> 1);
  int wrong = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string moves;
    int score = 0;
    words >> moves >> score;
    const auto state = game->initial_state();
    for (const char& move : moves) {
      const auto action = game->parse_action(*state, {&move, 1});
      if (!action)
        fail(ExitCode::kBadData, "'" + line + "' is no line of a position", "move " + std::string(1, move));
      state->apply(*action);
    }
    const auto solution = solver.solve_signs(*state);
    const bool agrees = solution->value == (score > 0) - (score < 0);
    wrong += !agrees;
    std::cout << moves << " " << score << " " << columns_text(*solution, 7) << (agrees ? "" : " WRONG")
              << std::endl;
    std::cerr << moves.size() << " plies, " << solver.nodes() << " nodes\n";
  }
  return wrong != 0;
}

}  // namespace
}  // namespace rf

int main(int argc, char** argv) {
  const int bits = argc == 2 ? std::atoi(argv[1]) : 0;
  if (bits < 18 || bits > 34) {
    std::cerr << "connect_four_table BITS < positions > values (BITS from 18 to 34)\n";
    return 64;
  }
  return rf::run(bits);
}
