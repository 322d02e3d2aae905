#include "config/checks.h"

#include <memory>
#include <string_view>

#include "base/error.h"
#include "games/registry.h"

namespace rf {
namespace {

std::string value_and(std::int64_t value, std::string_view key, std::int64_t other) {
  return std::to_string(value) + " contradicts " + std::string(key) + " " + std::to_string(other);
}

std::optional<Contradiction> check_against_game(const RunConfig& c, const GameSpec& game) {
  if (c.gate.opening_plies >= game.max_plies) {
    return Contradiction{
        "gate.opening_plies",
        error_text(std::to_string(c.gate.opening_plies) + " random plies leave nothing to play",
                   game.id + " ends after at most " + std::to_string(game.max_plies) + " plies",
                   "make the openings shorter")};
  }
  const std::int64_t rows = std::int64_t(c.replay.max_unique_rows) * std::int64_t(game.symmetries.size());
  if (c.train.batch_size > rows) {
    return Contradiction{
        "train.batch_size",
        error_text(value_and(c.train.batch_size, "replay.max_unique_rows", c.replay.max_unique_rows),
                   "with " + std::to_string(game.symmetries.size()) + " symmetries the window has at most " +
                       std::to_string(rows) + " rows, less than one batch",
                   "make the batch smaller or the window larger")};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Contradiction> find_contradiction(const RunConfig& c) {
  std::unique_ptr<Game> game;
  try {
    game = make_game(c.game);
  } catch (const BadSetting& bad) {
    return Contradiction{bad.key(), bad.what()};
  }
  const struct {
    const char* key;
    int simulations;
  } searches[] = {{"search.simulations", c.search.simulations}, {"gate.simulations", c.gate.simulations}};
  for (const auto& [key, simulations] : searches) {
    if (simulations > c.search.max_nodes) {
      return Contradiction{
          key, error_text(value_and(simulations, "search.max_nodes", c.search.max_nodes),
                          "every simulation adds a node, so the tree would be full before the end",
                          "do fewer simulations or allow more nodes")};
    }
  }
  if (c.train.min_unique_rows > c.replay.max_unique_rows) {
    return Contradiction{
        "train.min_unique_rows",
        error_text(value_and(c.train.min_unique_rows, "replay.max_unique_rows", c.replay.max_unique_rows),
                   "the window never has that many rows, so training would always refuse",
                   "ask for fewer rows or make the window larger")};
  }
  if (c.train.ghost_batch > 0 && c.train.batch_size % c.train.ghost_batch != 0) {
    return Contradiction{
        "train.ghost_batch",
        error_text(value_and(c.train.ghost_batch, "train.batch_size", c.train.batch_size),
                   "a batch is cut into groups of equal size", "choose a divisor of the batch size, or 0")};
  }
  if (c.gate.yardstick_playouts > c.gate.yardstick_max) {
    return Contradiction{
        "gate.yardstick_playouts",
        error_text(value_and(c.gate.yardstick_playouts, "gate.yardstick_max", c.gate.yardstick_max),
                   "the first match would already exceed the most that is allowed",
                   "begin with fewer playouts or raise the maximum")};
  }
  return check_against_game(c, game->spec());
}

}  // namespace rf
