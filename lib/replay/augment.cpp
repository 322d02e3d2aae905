#include "replay/augment.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"
#include "games/symmetry.h"

namespace rf {
namespace {

struct Image {
  std::vector<std::uint8_t> bits;                             // [B]
  std::vector<float> scalars;                                 // [S]
  std::vector<std::pair<std::int32_t, std::int32_t>> policy;  // (action, visits), ascending
  bool operator==(const Image&) const = default;
};

class Augmenter {
 public:
  Augmenter(const Game& game, const GameRecord& record)
      : spec_(game.spec()), record_(record), packing_(spec_), state_(game.initial_state()) {
    for (const Symmetry& s : spec_.symmetries) inverse_actions_.push_back(inverse_map(s.action));
  }

  PackedRows rows() {
    for (std::size_t ply = 0; ply < record_.plies.size(); ++ply) {
      const PlyRecord& played = record_.plies[ply];
      if (state_->terminal()) refuse(ply, "the game was over before");
      check(ply, played);
      if (!played.actions.empty()) add_images(int(ply), played);
      state_->apply(played.action);
    }
    check_end();
    return std::move(rows_);
  }

 private:
  [[noreturn]] void refuse(std::size_t ply, const std::string& why) const {
    fail(ExitCode::kInternal,
         "game " + std::to_string(record_.game_index) + " cannot be stored: ply " + std::to_string(ply), why);
  }

  void check(std::size_t ply, const PlyRecord& played) const {
    if (!state_->is_legal(played.action)) {
      refuse(ply, "action " + std::to_string(played.action) + " is not legal");
    }
    if (played.actions.size() != played.visits.size()) refuse(ply, "actions and visits differ in number");
    if (!std::isfinite(played.root_value) || std::abs(played.root_value) > 1.001f) {
      refuse(ply, "its value is " + std::to_string(played.root_value));
    }
    for (std::size_t i = 0; i < played.actions.size(); ++i) {
      if (i > 0 && played.actions[i] <= played.actions[i - 1])
        refuse(ply, "the policy's actions do not ascend");
      if (!state_->is_legal(played.actions[i])) {
        refuse(ply, "the policy has action " + std::to_string(played.actions[i]) + ", which is not legal");
      }
      if (played.visits[i] < 1) refuse(ply, "the policy has an action without visits");
    }
  }

  void check_end() const {
    const std::size_t end = record_.plies.size();
    if (!state_->terminal()) refuse(end, "the game is not over");
    const float z = state_->outcome();
    const float first = state_->to_move() == 0 ? z : -z;
    if (record_.outcome_first != first) {
      refuse(end, "its outcome is given as " + std::to_string(record_.outcome_first) + ", the replay says " +
                      std::to_string(first));
    }
    if (record_.end_reason != state_->end_reason()) {
      refuse(end, "its end is given as '" + record_.end_reason + "', the replay says '" +
                      std::string(state_->end_reason()) + "'");
    }
  }

  void add_images(int ply, const PlyRecord& played) {
    std::vector<float> planes(std::size_t(packing_.planes_size()));
    std::vector<float> seen(planes.size());
    state_->encode(planes);
    std::vector<Image> images;
    for (std::size_t k = 0; k < spec_.symmetries.size(); ++k) {
      gather_planes(planes, spec_.symmetries[k].cell, seen);
      Image image;
      image.bits.resize(std::size_t(packing_.bits_bytes()));
      image.scalars.resize(std::size_t(packing_.scalars()));
      packing_.pack(seen, image.bits, image.scalars);
      for (std::size_t i = 0; i < played.actions.size(); ++i) {
        image.policy.emplace_back(inverse_actions_[k][std::size_t(played.actions[i])], played.visits[i]);
      }
      std::sort(image.policy.begin(), image.policy.end());
      if (std::find(images.begin(), images.end(), image) != images.end()) continue;
      add_row(ply, int(k), played, image);
      images.push_back(std::move(image));
    }
  }

  void add_row(int ply, int symmetry, const PlyRecord& played, const Image& image) {
    rows_.planes_bits.insert(rows_.planes_bits.end(), image.bits.begin(), image.bits.end());
    rows_.planes_scalar.insert(rows_.planes_scalar.end(), image.scalars.begin(), image.scalars.end());
    for (const auto& [action, visits] : image.policy) {
      rows_.policy_action.push_back(action);
      rows_.policy_visits.push_back(visits);
    }
    rows_.policy_offset.push_back(rows_.policy_entries());
    const bool first = state_->to_move() == 0;
    const float z = record_.outcome_first;
    rows_.outcome.push_back(first || z == 0 ? z : -z);
    rows_.root_value.push_back(played.root_value);
    rows_.game.push_back(record_.game_index);
    rows_.ply.push_back(ply);
    rows_.symmetry.push_back(std::int16_t(symmetry));
    rows_.to_move.push_back(std::int8_t(state_->to_move()));
    rows_.unique.push_back(symmetry == 0);
  }

  const GameSpec& spec_;
  const GameRecord& record_;
  PlanePacking packing_;
  std::unique_ptr<State> state_;
  std::vector<std::vector<int>> inverse_actions_;  // [K, A]
  PackedRows rows_;
};

}  // namespace

void append_game(const Game& game, const GameRecord& record, PackedRows& rows) {
  rows.append(Augmenter(game, record).rows());
}

}  // namespace rf
