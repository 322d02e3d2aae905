// Tic-tac-toe. Cells and actions are row * 3 + column; planes: own stones, the other's stones.
#include <array>
#include <bit>

#include "base/random_stream.h"
#include "games/rules.h"
#include "games/symmetry.h"

namespace rf {
namespace {

constexpr std::array<std::uint16_t, 8> kLines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

struct TicTacToe {
  std::array<std::uint16_t, 2> stones{};  // bit k: a stone on cell k

  int ply() const { return std::popcount(stones[0]) + std::popcount(stones[1]); }
  int to_move() const { return ply() % 2; }
  bool has_line(int player) const {
    for (std::uint16_t line : kLines) {
      if ((stones[std::size_t(player)] & line) == line) return true;
    }
    return false;
  }
  bool terminal() const { return ply() == 9 || has_line(0) || has_line(1); }
  float outcome() const {
    if (has_line(to_move())) return 1;  // cannot happen in play, kept for positions set up by hand
    return has_line(1 - to_move()) ? -1.f : 0.f;
  }
  std::string_view end_reason() const { return outcome() == 0 ? "full board" : "line"; }
  bool is_legal(Action a) const { return a >= 0 && a < 9 && !((stones[0] | stones[1]) >> a & 1); }
  void legal_actions(std::vector<Action>& out) const {
    for (Action a = 0; a < 9; ++a) {
      if (is_legal(a)) out.push_back(a);
    }
  }
  void apply(Action a) { stones[std::size_t(to_move())] |= std::uint16_t(1 << a); }
  void encode(std::span<float> planes) const {
    const int own = to_move();
    for (int k = 0; k < 9; ++k) {
      planes[std::size_t(k)] = float(stones[std::size_t(own)] >> k & 1);
      planes[std::size_t(9 + k)] = float(stones[std::size_t(1 - own)] >> k & 1);
    }
  }
  std::uint64_t hash() const { return mix64(0x71c7ac70eULL + stones[0] * 512ULL + stones[1]); }
  std::string text() const {
    std::string board = "  a b c\n";
    for (int r = 0; r < 3; ++r) {
      board += char('1' + r);
      for (int c = 0; c < 3; ++c) {
        const int k = r * 3 + c;
        board += stones[0] >> k & 1 ? " X" : stones[1] >> k & 1 ? " O" : " .";
      }
      board += '\n';
    }
    return board;
  }
  std::string action_text(Action a) const { return {char('a' + a % 3), char('1' + a / 3)}; }
  std::optional<Action> parse_action(std::string_view text) const {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'c' || text[1] < '1' || text[1] > '3') return {};
    const Action a = (text[1] - '1') * 3 + (text[0] - 'a');
    return is_legal(a) ? std::optional(a) : std::nullopt;
  }
};

}  // namespace

std::vector<GameOption> tic_tac_toe_options() {
  return {};
}

std::unique_ptr<Game> make_tic_tac_toe(const std::map<std::string, int>&) {
  GameSpec spec;
  spec.name = spec.id = "tic_tac_toe";
  spec.num_actions = 9;
  spec.shape = {2, 3, 3};
  spec.plane_kinds = {PlaneKind::kBits, PlaneKind::kBits};
  spec.plane_names = {"stones of the player to move", "stones of the other player"};
  spec.max_plies = 9;
  spec.joined_moves = true;
  spec.symmetries = cell_symmetries(3, 3);
  return std::make_unique<GameOf<TicTacToe>>(std::move(spec), TicTacToe{});
}

}  // namespace rf
