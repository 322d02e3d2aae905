#include "arena/match.h"

#include <algorithm>

#include "base/error.h"
#include "search/puct.h"

namespace rf {

Match::Match(const Game& game, Player a, Player b, std::vector<std::vector<Action>> openings,
             int games_in_parallel, std::uint64_t run_seed, int iteration)
    : game_(game),
      players_{std::move(a), std::move(b)},
      openings_(std::move(openings)),
      run_seed_(run_seed),
      iteration_(iteration),
      slots_(std::size_t(games_in_parallel)) {
  RF_ASSERT(!openings_.empty());
}

void Match::start(Slot& slot, std::int64_t index) {
  slot.state = game_.initial_state();
  slot.stream = make_stream(run_seed_, std::uint64_t(iteration_), std::uint64_t(index), Purpose::kMatch);
  slot.game = {};
  slot.game.index = index;
  slot.game.a_first = index % 2 == 0;
  slot.game.moves = openings_[std::size_t(index / 2) % openings_.size()];
  for (Action action : slot.game.moves) slot.state->apply(action);
  for (int p : {0, 1}) {  // nothing is carried over from an earlier game
    slot.search[p] = nullptr;
    if (players_[p].opponent != nullptr || players_[p].evaluator == nullptr) continue;
    slot.search[p] = std::make_unique<Search>(game_, players_[p].search, players_[p].simulations);
    slot.search[p]->set_root(*slot.state);
  }
  slot.running = true;
  begin_move(slot);
}

void Match::begin_move(Slot& slot) {
  const std::unique_ptr<Search>& search = slot.search[slot.player_to_move()];
  if (search) search->begin(*slot.stream, RootNoise::kOff);
}

bool Match::ready(const Slot& slot) const {
  const std::unique_ptr<Search>& search = slot.search[slot.player_to_move()];
  return !search || search->done();
}

bool Match::move(Slot& slot) {
  Search* search = slot.search[slot.player_to_move()].get();
  Action action;
  if (search) {
    const SearchResult result = search->result();
    action = result.actions[sample_visits(result.visits, 0, *slot.stream)];
  } else if (Opponent* opponent = players_[slot.player_to_move()].opponent) {
    action = opponent->choose(*slot.state, *slot.stream);
  } else {
    std::vector<Action> legal;
    slot.state->legal_actions(legal);
    action = legal[slot.stream->below(std::uint32_t(legal.size()))];
  }
  slot.game.moves.push_back(action);
  slot.state->apply(action);
  for (auto& tree : slot.search) {
    if (tree) tree->advance(action);
  }
  if (!slot.state->terminal()) {
    begin_move(slot);
    return false;
  }
  const float z = slot.state->outcome();
  const float z_a = slot.player_to_move() == 0 ? z : -z;
  slot.game.points_a = (1 + z_a) / 2;
  slot.game.end_reason = std::string(slot.state->end_reason());
  slot.running = false;
  return true;
}

bool Match::step(const NextGame& next, const Finished& finished) {
  for (auto& batch : batches_) batch.clear();
  bool busy = false;
  for (Slot& slot : slots_) {
    if (!slot.running) {
      const std::optional<std::int64_t> index = next();
      if (!index) continue;
      start(slot, *index);
    }
    busy = true;
    while (slot.running) {
      if (ready(slot)) {
        if (move(slot)) finished(std::move(slot.game));
        continue;
      }
      const int player = slot.player_to_move();
      const std::size_t before = batches_[player].size();
      slot.search[player]->collect(batches_[player]);
      if (batches_[player].size() > before) break;
    }
  }
  for (int p : {0, 1}) {
    if (!batches_[p].empty()) players_[p].evaluator->evaluate(batches_[p]);
  }
  for (Slot& slot : slots_) {
    if (slot.running) slot.search[slot.player_to_move()]->absorb();
  }
  return busy;
}

namespace {

// The same number for every turned or mirrored image of a line of play.
std::uint64_t canonical_hash(const Game& game, const std::vector<Action>& actions) {
  std::uint64_t least = ~0ULL;
  for (const Symmetry& symmetry : game.spec().symmetries) {
    auto state = game.initial_state();
    for (Action action : actions) {
      for (std::size_t image = 0; image < symmetry.action.size(); ++image) {
        if (symmetry.action[image] == action) {
          state->apply(Action(image));
          break;
        }
      }
    }
    least = std::min(least, state->hash());
  }
  return least;
}

}  // namespace

std::vector<std::vector<Action>> make_openings(const Game& game, int count, int plies, std::uint64_t run_seed,
                                               int iteration) {
  std::vector<std::vector<Action>> openings;
  std::vector<std::uint64_t> seen;
  std::vector<Action> legal;
  RandomStream stream = make_stream(run_seed, std::uint64_t(iteration), 0, Purpose::kOpening);
  for (int misses = 0; int(openings.size()) < count && misses < 200;) {
    auto state = game.initial_state();
    std::vector<Action> actions;
    for (int i = 0; i < plies && !state->terminal(); ++i) {
      state->legal_actions(legal);
      actions.push_back(legal[stream.below(std::uint32_t(legal.size()))]);
      state->apply(actions.back());
    }
    const std::uint64_t hash = canonical_hash(game, actions);
    if (state->terminal() || std::find(seen.begin(), seen.end(), hash) != seen.end()) {
      ++misses;
      continue;
    }
    misses = 0;
    seen.push_back(hash);
    openings.push_back(std::move(actions));
  }
  if (openings.empty()) openings.emplace_back();
  return openings;
}

}  // namespace rf
