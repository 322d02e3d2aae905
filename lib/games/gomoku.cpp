// Gomoku: `line` in a row wins, black (player 0) begins, a full board is a draw; the rules of
// games/gomoku_rule.h. Under renju a forbidden move is legal to play and loses at once.
// Cells, actions and notation are those of games/stone_board.h.
// Planes, as a choice:
//   own2     own stones, the other's stones
//   classic4 the same, the last move, and all ones when black is to move
#include "games/gomoku_rule.h"

#include <algorithm>
#include <memory>

#include "base/random_stream.h"
#include "games/rules.h"
#include "games/symmetry.h"

namespace rf {
namespace {

constexpr std::uint64_t kHashOffset = 0x9e3779b97f4a7c15ULL;  // the empty board must not hash to 0

struct Options {
  int line;
  GomokuRule rule;
  bool classic;
  std::vector<std::uint64_t> keys;  // [2, H*W] Zobrist keys of stones
};

class Gomoku {
 public:
  Gomoku(std::shared_ptr<const Options> options, StoneBoard board)
      : options_(std::move(options)), board_(std::move(board)) {}

  int ply() const { return ply_; }
  int to_move() const { return ply_ % 2; }
  bool terminal() const { return verdict_ != GomokuVerdict::kGoesOn || ply_ == board_.num_cells(); }
  float outcome() const {  // the one who just moved made the line, or the forbidden move
    if (verdict_ == GomokuVerdict::kGoesOn) return 0;
    return verdict_ == GomokuVerdict::kLine ? -1.f : 1.f;
  }
  std::string_view end_reason() const { return verdict_text(verdict_); }
  bool is_legal(Action a) const { return board_.is_empty(a); }
  void legal_actions(std::vector<Action>& out) const { board_.empty_cells(out); }

  void apply(Action a) {
    const int player = to_move();
    board_.put(a, player);
    stones_hash_ ^= options_->keys[std::size_t(player * board_.num_cells() + a)];
    last_ = a;
    ++ply_;
    verdict_ = gomoku_verdict(board_, a, options_->line, options_->rule);
  }

  void encode(std::span<float> planes) const {
    const std::ptrdiff_t n = board_.num_cells();
    board_.encode(to_move(), planes.data());
    if (!options_->classic) return;
    std::fill(planes.begin() + 2 * n, planes.begin() + 3 * n, 0.f);
    if (last_ >= 0) planes[std::size_t(2 * n + last_)] = 1;
    std::fill(planes.begin() + 3 * n, planes.end(), to_move() == 0 ? 1.f : 0.f);
  }

  // Planes of classic4 show the last move, so its hash has it too.
  std::uint64_t hash() const {
    const std::uint64_t last = options_->classic ? std::uint64_t(last_ + 1) : 0;
    return mix64(stones_hash_ + 2 * last + std::uint64_t(to_move()) + kHashOffset);
  }

  std::string text() const { return board_.text(last_); }
  std::string action_text(Action a) const { return board_.cell_text(a); }
  std::optional<Action> parse_action(std::string_view text) const { return board_.parse_empty_cell(text); }

 private:
  std::shared_ptr<const Options> options_;
  StoneBoard board_;
  std::uint64_t stones_hash_ = 0;
  Action last_ = -1;
  int ply_ = 0;
  GomokuVerdict verdict_ = GomokuVerdict::kGoesOn;
};

}  // namespace

std::vector<GameOption> gomoku_options() {
  return {
      {"width", 15, 1, 52, {}, "columns of the board"},
      {"height", 15, 1, 52, {}, "rows of the board"},
      {"line", 5, 2, 52, {}, "stones in a row that win"},
      {"rule",
       0,
       0,
       0,
       {"freestyle", "standard", "renju"},
       "freestyle: longer rows win too; standard: they do not; renju (line 5): as standard for black, whose "
       "overlines, double fours and double threes lose at once, as freestyle for white"},
      {"planes",
       0,
       0,
       0,
       {"own2", "classic4"},
       "input planes: own and other stones; classic4 adds last move and colour"}};
}

std::unique_ptr<Game> make_gomoku(const std::map<std::string, int>& values) {
  const int width = values.at("width"), height = values.at("height"), line = values.at("line");
  auto options = std::make_shared<Options>();
  options->line = line;
  options->rule = GomokuRule(values.at("rule"));
  options->classic = values.at("planes") == 1;
  check_line_fits(width, height, line);
  if (options->rule == GomokuRule::kRenju && line != 5) {
    fail_setting("game.rule", "renju with line " + std::to_string(line),
                 "its forbidden moves are defined by rows of five", "set game.line to 5");
  }
  RandomStream keys(0x60a0);
  for (int i = 0; i < 2 * width * height; ++i) options->keys.push_back(keys.next());

  GameSpec spec;
  spec.name = "gomoku";
  spec.id = "gomoku width=" + std::to_string(width) + " height=" + std::to_string(height) +
            " line=" + std::to_string(line) +
            " rule=" + gomoku_options()[3].choices[std::size_t(values.at("rule"))] +
            " planes=" + (options->classic ? "classic4" : "own2");
  spec.num_actions = width * height;
  spec.shape = {options->classic ? 4 : 2, height, width};
  spec.plane_kinds.assign(std::size_t(spec.shape.planes), PlaneKind::kBits);
  spec.plane_names = {"stones of the player to move", "stones of the other player"};
  if (options->classic) {
    spec.plane_kinds[3] = PlaneKind::kScalar;
    spec.plane_names.push_back("last move");
    spec.plane_names.push_back("1 everywhere when the first player is to move, else 0");
  }
  spec.max_plies = width * height;
  spec.joined_moves = true;
  spec.symmetries = cell_symmetries(height, width);
  return std::make_unique<GameOf<Gomoku>>(std::move(spec),
                                          Gomoku(std::move(options), StoneBoard(width, height)));
}

}  // namespace rf
