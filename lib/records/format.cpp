#include "records/format.h"

#include "base/error.h"
#include "records/move_text.h"

namespace rf {

std::span<const RecordFormat> record_formats() {
  static const std::vector<RecordFormat> formats = {
      {"moves", "one game a line, moves as the game writes them", {}, read_move_text, write_move_text},
      {"actions", "one game a line, moves as numbers of the policy", {}, read_action_text, write_action_text},
  };
  return formats;
}

const RecordFormat& record_format(std::string_view name, const Game& game) {
  std::string known;
  for (const RecordFormat& format : record_formats()) {
    bool fits = format.games.empty();
    for (std::string_view g : format.games) fits = fits || g == game.spec().name;
    if (!fits) continue;
    if (format.name == name) return format;
    known.append(known.empty() ? "" : ", ").append(format.name);
  }
  fail(ExitCode::kUsage, "no format of " + game.spec().name + " is called '" + std::string(name) + "'", "",
       "known: " + known);
}

std::unique_ptr<State> first_state(const Game& game, const Record& record) {
  return record.start.empty() ? game.initial_state() : game.parse_position(record.start);
}

std::unique_ptr<State> last_state(const Game& game, const Record& record) {
  auto state = first_state(game, record);
  for (Action action : record.moves) state->apply(action);
  return state;
}

}  // namespace rf
