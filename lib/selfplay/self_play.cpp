#include "selfplay/self_play.h"

#include <bit>

#include "base/digest.h"
#include "base/timer.h"
#include "search/puct.h"

namespace rf {

SelfPlay::SelfPlay(const Game& game, const SearchConfig& search, const SelfplayConfig& config,
                   Evaluator& evaluator, std::uint64_t run_seed, int iteration)
    : game_(game),
      search_config_(search),
      config_(config),
      evaluator_(evaluator),
      run_seed_(run_seed),
      iteration_(iteration),
      slots_(std::size_t(config.games_in_parallel)) {}

void SelfPlay::start(Slot& slot, std::int64_t game_index) {
  if (!slot.search) slot.search = std::make_unique<Search>(game_, search_config_);
  slot.stream =
      make_stream(run_seed_, std::uint64_t(iteration_), std::uint64_t(game_index), Purpose::kSelfPlay);
  slot.record = {};
  slot.record.game_index = game_index;
  slot.record.stream_key = slot.stream->key();
  slot.running = true;
  ++num_running_;
  const std::unique_ptr<State> root = game_.initial_state();
  play_opening(slot, *root);
  slot.search->set_root(*root);
  begin_search(slot);
}

void SelfPlay::play_opening(Slot& slot, State& state) {
  if (config_.opening_plies == 0) return;  // the stream stays what it was without openings
  std::vector<Action> legal;
  for (auto left = slot.stream->below(std::uint32_t(config_.opening_plies) + 1); left > 0; --left) {
    state.legal_actions(legal);
    PlyRecord ply;
    ply.action = legal[slot.stream->below(std::uint32_t(legal.size()))];
    const std::unique_ptr<State> next = state.clone();
    next->apply(ply.action);
    if (next->terminal()) return;
    state.apply(ply.action);
    slot.record.plies.push_back(std::move(ply));
    ++counts_.plies;
  }
}

void SelfPlay::begin_search(Slot& slot) {
  slot.search->begin(*slot.stream, RootNoise::kOn);
}

bool SelfPlay::move(Slot& slot) {
  Search& search = *slot.search;
  const SearchResult result = search.result();
  const double tau =
      search.root().ply() < config_.temperature_plies ? config_.temperature : config_.temperature_final;
  const Action action = result.actions[sample_visits(result.visits, tau, *slot.stream)];

  PlyRecord ply;
  ply.action = action;
  ply.root_value = result.root_value;
  for (std::size_t i = 0; i < result.actions.size(); ++i) {
    if (result.visits[i] == 0) continue;
    ply.actions.push_back(result.actions[i]);
    ply.visits.push_back(result.visits[i]);
  }
  slot.record.plies.push_back(std::move(ply));
  ++counts_.plies;
  counts_.simulations += search_config_.simulations;
  counts_.truncated_searches += search.truncated();

  search.advance(action);
  if (!search.root().terminal()) {
    begin_search(slot);
    return false;
  }
  const float z = search.root().outcome();
  slot.record.outcome_first = search.root().to_move() == 0 ? z : -z;
  slot.record.end_reason = std::string(search.root().end_reason());
  slot.running = false;
  --num_running_;
  ++counts_.games;
  return true;
}

bool SelfPlay::step(const NextGame& next, const Finished& finished) {
  const Timer timer;
  batch_.clear();
  bool busy = false;
  for (Slot& slot : slots_) {
    if (!slot.running) {
      const std::optional<std::int64_t> game_index = next();
      if (!game_index) continue;
      start(slot, *game_index);
    }
    busy = true;
    // A search may finish without a request (all leaves terminal), so go on until there is one.
    while (slot.running) {
      const std::size_t before = batch_.size();
      slot.search->collect(batch_);
      if (batch_.size() > before) break;
      if (slot.search->done() && move(slot)) finished(std::move(slot.record));
    }
  }
  counts_.search_seconds += timer.seconds();
  if (batch_.empty()) return busy;

  const Timer evaluation;
  evaluator_.evaluate(batch_);
  counts_.evaluations += (long long)(batch_.size());
  ++counts_.batches;
  counts_.evaluate_seconds += evaluation.seconds();

  const Timer after;
  for (Slot& slot : slots_) {
    if (!slot.running) continue;
    slot.search->absorb();
    if (slot.search->done() && move(slot)) finished(std::move(slot.record));
  }
  counts_.search_seconds += after.seconds();
  return true;
}

std::uint64_t game_digest(const GameRecord& record) {
  std::uint64_t digest = combine64(std::uint64_t(record.game_index), record.stream_key);
  for (const PlyRecord& ply : record.plies) {
    digest = combine64(digest, std::uint64_t(ply.action));
    digest = combine64(digest, digest64(std::span<const Action>(ply.actions)));
    digest = combine64(digest, digest64(std::span<const int>(ply.visits)));
    digest = combine64(digest, std::bit_cast<std::uint32_t>(ply.root_value));
  }
  return combine64(digest, std::bit_cast<std::uint32_t>(record.outcome_first));
}

}  // namespace rf
