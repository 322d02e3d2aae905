#include "records/xiangqi_squares.h"

namespace rf {

std::string xy_text(const Game& game, const State& state, Action legal) {
  std::string text = game.action_text(state, legal);  // h2e2
  for (std::size_t i = 0; i < text.size(); i += 2) {
    text[i] = char(text[i] - 'a' + '0');
    text[i + 1] = char('9' - text[i + 1] + '0');
  }
  return text;
}

std::optional<Action> parse_xy(const Game& game, const State& state, std::string_view text) {
  if (text.size() != 4) return std::nullopt;
  std::string move(text);
  for (std::size_t i = 0; i < 4; i += 2) {  // what is no digit here is no coordinate afterwards
    move[i] = char(move[i] - '0' + 'a');
    move[i + 1] = char('9' - move[i + 1] + '0');
  }
  return game.parse_action(state, move);
}

}  // namespace rf
