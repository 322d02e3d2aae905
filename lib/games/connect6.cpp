// Connect6 (Wu and Huang 2005): black (player 0) begins with one stone, then each turn is two stones of one
// player; `line` or more in a row wins at once, also by the first stone of a turn; a full board is a draw. An
// action is one stone. Cells, actions and notation are those of games/stone_board.h.
#include <algorithm>
#include <memory>

#include "base/random_stream.h"
#include "games/rules.h"
#include "games/stone_board.h"
#include "games/symmetry.h"

namespace rf {
namespace {

struct Options {
  int line;
  std::vector<std::uint64_t> keys;  // [2, H*W] Zobrist keys of stones
};

class Connect6 {
 public:
  Connect6(std::shared_ptr<const Options> options, StoneBoard board)
      : options_(std::move(options)), board_(std::move(board)) {}

  int ply() const { return ply_; }
  int to_move() const { return player_at(ply_); }
  bool terminal() const { return won_ || ply_ == board_.num_cells(); }
  // The winner placed the last stone, and may be the one to move: half of its turn was left.
  float outcome() const { return !won_ ? 0.f : player_at(ply_ - 1) == to_move() ? 1.f : -1.f; }
  std::string_view end_reason() const { return won_ ? "line" : "full board"; }
  bool is_legal(Action a) const { return board_.is_empty(a); }
  void legal_actions(std::vector<Action>& out) const { board_.empty_cells(out); }

  void apply(Action a) {
    const int player = to_move();
    board_.put(a, player);
    stones_hash_ ^= options_->keys[std::size_t(player * board_.num_cells() + a)];
    last_ = a;
    ++ply_;
    won_ = std::any_of(std::begin(kSteps), std::end(kSteps),
                       [&](Step step) { return board_.run(a, step) >= options_->line; });
  }

  void encode(std::span<float> planes) const {
    board_.encode(to_move(), planes.data());
    std::fill(planes.begin() + 2 * board_.num_cells(), planes.end(), moves_again() ? 1.f : 0.f);
  }

  std::uint64_t hash() const { return mix64(stones_hash_ + std::uint64_t(to_move()) + 1); }

  std::string text() const { return board_.text(last_); }
  std::string action_text(Action a) const { return board_.cell_text(a); }
  std::optional<Action> parse_action(std::string_view text) const { return board_.parse_empty_cell(text); }

 private:
  static int player_at(int ply) { return (ply + 1) / 2 % 2; }  // 0 1 1 0 0 1 1 ...
  bool moves_again() const { return player_at(ply_ + 1) == player_at(ply_); }

  std::shared_ptr<const Options> options_;
  StoneBoard board_;
  std::uint64_t stones_hash_ = 0;
  Action last_ = -1;
  int ply_ = 0;
  bool won_ = false;
};

}  // namespace

std::vector<GameOption> connect6_options() {
  return {{"width", 19, 1, 52, {}, "columns of the board"},
          {"height", 19, 1, 52, {}, "rows of the board"},
          {"line", 6, 2, 52, {}, "stones in a row that win"}};
}

std::unique_ptr<Game> make_connect6(const std::map<std::string, int>& values) {
  const int width = values.at("width"), height = values.at("height"), line = values.at("line");
  check_line_fits(width, height, line);
  auto options = std::make_shared<Options>();
  options->line = line;
  RandomStream keys(0xc6);
  for (int i = 0; i < 2 * width * height; ++i) options->keys.push_back(keys.next());

  GameSpec spec;
  spec.name = "connect6";
  spec.id = "connect6 width=" + std::to_string(width) + " height=" + std::to_string(height) +
            " line=" + std::to_string(line);
  spec.num_actions = width * height;
  spec.shape = {3, height, width};
  spec.plane_kinds = {PlaneKind::kBits, PlaneKind::kBits, PlaneKind::kScalar};
  spec.plane_names = {"stones of the player to move", "stones of the other player",
                      "1 everywhere when the player to move places one more stone after this one, else 0"};
  spec.max_plies = width * height;
  spec.joined_moves = true;
  spec.symmetries = cell_symmetries(height, width);
  return std::make_unique<GameOf<Connect6>>(std::move(spec),
                                            Connect6(std::move(options), StoneBoard(width, height)));
}

}  // namespace rf
