// Dots and Boxes on rows x cols boxes: players draw one edge in turn; who draws the fourth side of a box owns
// it and moves again, once even when two boxes close at once. When every edge is drawn, more boxes win; equal
// numbers are a draw. Nobody has to take a box, and nobody may pass.
// Actions are edges: the horizontal ones row by row from the top, r * cols + c with r in [0, rows], then the
// vertical ones, (rows + 1) * cols + r * (cols + 1) + c. Notation: the number of the edge.
// The board is encoded as a grid of 2 rows + 1 by 2 cols + 1 cells, dots where both coordinates are even,
// boxes where both are odd, edges between. What the rest of the game is worth hangs on edges and score alone,
// so neither who owns which box nor who is to move is encoded.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <memory>

#include "base/random_stream.h"
#include "games/rules.h"
#include "games/symmetry.h"

namespace rf {
namespace {

constexpr int kMostRows = 12, kMostEdges = 2 * kMostRows * (kMostRows + 1);
constexpr std::uint64_t kHashOffset = 0x9e3779b97f4a7c15ULL;  // the empty board must not hash to 0

// Bits 0..N-1 in words, to be copied without a thought.
template <int N>
struct Bits {
  std::array<std::uint64_t, (N + 63) / 64> words = {};
  bool operator[](int i) const { return words[std::size_t(i) / 64] >> (i % 64) & 1; }
  void set(int i) { words[std::size_t(i) / 64] |= 1ULL << (i % 64); }
};

struct Geometry {
  Geometry(int rows, int cols);
  int rows, cols;  // of boxes
  int edges, boxes;
  std::vector<std::array<int, 4>> box_edges;   // [boxes] top, bottom, left, right
  std::vector<std::array<int, 2>> edge_boxes;  // [edges] the boxes beside it, -1 where there is none
  std::vector<std::size_t> edge_cell;          // [edges] cell of the grid
  std::vector<std::uint64_t> keys;             // [edges] Zobrist keys
  int horizontal(int r, int c) const { return r * cols + c; }
  int vertical(int r, int c) const { return (rows + 1) * cols + r * (cols + 1) + c; }
  std::size_t cell(int r, int c) const { return std::size_t(r * (2 * cols + 1) + c); }  // of the grid
};

Geometry::Geometry(int rows_, int cols_)
    : rows(rows_), cols(cols_), edges((rows + 1) * cols + rows * (cols + 1)), boxes(rows * cols) {
  edge_boxes.assign(std::size_t(edges), {-1, -1});
  edge_cell.resize(std::size_t(edges));
  for (int r = 0; r <= rows; ++r) {
    for (int c = 0; c < cols; ++c) edge_cell[std::size_t(horizontal(r, c))] = cell(2 * r, 2 * c + 1);
  }
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c <= cols; ++c) edge_cell[std::size_t(vertical(r, c))] = cell(2 * r + 1, 2 * c);
  }
  for (int b = 0; b < boxes; ++b) {
    const int r = b / cols, c = b % cols;
    box_edges.push_back({horizontal(r, c), horizontal(r + 1, c), vertical(r, c), vertical(r, c + 1)});
    for (int e : box_edges.back()) {
      auto& beside = edge_boxes[std::size_t(e)];
      beside[beside[0] < 0 ? 0 : 1] = b;
    }
  }
  RandomStream stream(0xd075);
  for (int e = 0; e < edges; ++e) keys.push_back(stream.next());
}

class DotsAndBoxes {
 public:
  explicit DotsAndBoxes(std::shared_ptr<const Geometry> geometry) : geometry_(std::move(geometry)) {}

  int ply() const { return ply_; }
  int to_move() const { return mover_; }
  int score_margin() const { return score_[mover_] - score_[1 - mover_]; }
  bool terminal() const { return ply_ == geometry_->edges; }
  float outcome() const { return float((score_margin() > 0) - (score_margin() < 0)); }
  std::string_view end_reason() const { return "all edges drawn"; }
  bool is_legal(Action a) const { return a >= 0 && a < geometry_->edges && !drawn_[a]; }

  void legal_actions(std::vector<Action>& out) const {
    for (Action a = 0; a < geometry_->edges; ++a) {
      if (!drawn_[a]) out.push_back(a);
    }
  }

  void apply(Action a) {
    drawn_.set(a);
    edges_hash_ ^= geometry_->keys[std::size_t(a)];
    ++ply_;
    int closed = 0;
    for (int b : geometry_->edge_boxes[std::size_t(a)]) {
      if (b < 0 || sides(b) < 4) continue;
      ++closed;
      if (mover_ == 0) first_owns_.set(b);
    }
    score_[mover_] += closed;
    if (closed == 0) mover_ = 1 - mover_;
  }

  void encode(std::span<float> planes) const {
    const std::size_t n = planes.size() / 5;
    std::fill(planes.begin(), planes.begin() + std::ptrdiff_t(4 * n), 0.f);
    for (int e = 0; e < geometry_->edges; ++e) {
      planes[(drawn_[e] ? 0 : n) + geometry_->edge_cell[std::size_t(e)]] = 1;
    }
    for (int b = 0; b < geometry_->boxes; ++b) {
      const int drawn = sides(b);
      const std::size_t at = geometry_->cell(2 * (b / geometry_->cols) + 1, 2 * (b % geometry_->cols) + 1);
      if (drawn >= 3) planes[(drawn == 4 ? 2 : 3) * n + at] = 1;
    }
    std::fill(planes.begin() + std::ptrdiff_t(4 * n), planes.end(),
              float(score_margin()) / float(geometry_->boxes));
  }

  std::uint64_t hash() const {
    return mix64(edges_hash_ + kHashOffset * std::uint64_t(1 + kMostEdges + score_margin()));
  }

  // Free edges show their number, boxes their owner: A moved first, B second.
  std::string text() const {
    const int cols = geometry_->cols;
    const std::size_t width = std::to_string(geometry_->edges - 1).size() + 2;  // between two dots
    std::string board;
    for (int r = 0; r <= geometry_->rows; ++r) {
      for (int c = 0; c < cols; ++c) {
        const int e = geometry_->horizontal(r, c);
        board += '+';
        board += drawn_[e] ? std::string(width, '-') : padded(" " + std::to_string(e), width);
      }
      board += "+\n";
      if (r == geometry_->rows) break;
      for (int c = 0; c <= cols; ++c) {
        const int e = geometry_->vertical(r, c);
        std::string piece = padded(drawn_[e] ? "|" : std::to_string(e), width + 1);
        if (c < cols && sides(r * cols + c) == 4)
          piece[width / 2 + 1] = first_owns_[r * cols + c] ? 'A' : 'B';
        if (c == cols) piece.erase(piece.find_last_not_of(' ') + 1);
        board += piece;
      }
      board += '\n';
    }
    return board + "A " + std::to_string(score_[0]) + ", B " + std::to_string(score_[1]) +
           (terminal()    ? "\n"
            : mover_ == 0 ? ", A to move\n"
                          : ", B to move\n");
  }

  std::string action_text(Action a) const { return std::to_string(a); }

  std::optional<Action> parse_action(std::string_view text) const {
    Action a = -1;
    std::from_chars(text.data(), text.data() + text.size(), a);
    return is_legal(a) && action_text(a) == text ? std::optional(a) : std::nullopt;
  }

 private:
  int sides(int box) const {  // drawn, of the four
    int drawn = 0;
    for (int e : geometry_->box_edges[std::size_t(box)]) drawn += drawn_[e];
    return drawn;
  }
  static std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
  }

  std::shared_ptr<const Geometry> geometry_;
  Bits<kMostEdges> drawn_;
  Bits<kMostRows * kMostRows> first_owns_;  // boxes of player 0, for people
  std::uint64_t edges_hash_ = 0;
  std::array<int, 2> score_ = {0, 0};
  int ply_ = 0;
  std::int8_t mover_ = 0;
};

// Symmetries of the grid move edges to edges.
std::vector<Symmetry> grid_symmetries(const Geometry& geometry) {
  std::vector<int> edge_at(geometry.cell(2 * geometry.rows + 1, 0), -1);
  for (int e = 0; e < geometry.edges; ++e) edge_at[geometry.edge_cell[std::size_t(e)]] = e;
  std::vector<Symmetry> symmetries;
  for (auto& map : board_symmetries(2 * geometry.rows + 1, 2 * geometry.cols + 1)) {
    Symmetry symmetry{std::move(map), {}};
    for (std::size_t cell : geometry.edge_cell) {
      symmetry.action.push_back(edge_at[std::size_t(symmetry.cell[cell])]);
    }
    symmetries.push_back(std::move(symmetry));
  }
  return symmetries;
}

}  // namespace

std::vector<GameOption> dots_and_boxes_options() {
  return {{"rows", 3, 1, kMostRows, {}, "rows of boxes"}, {"cols", 3, 1, kMostRows, {}, "columns of boxes"}};
}

std::unique_ptr<Game> make_dots_and_boxes(const std::map<std::string, int>& values) {
  auto geometry = std::make_shared<const Geometry>(values.at("rows"), values.at("cols"));
  GameSpec spec;
  spec.name = "dots_and_boxes";
  spec.id =
      "dots_and_boxes rows=" + std::to_string(geometry->rows) + " cols=" + std::to_string(geometry->cols);
  spec.num_actions = geometry->edges;
  spec.shape = {5, 2 * geometry->rows + 1, 2 * geometry->cols + 1};
  spec.plane_kinds.assign(4, PlaneKind::kBits);
  spec.plane_kinds.push_back(PlaneKind::kScalar);
  spec.plane_names = {"edges drawn", "edges free", "boxes closed", "boxes with three sides drawn",
                      "boxes of the player to move minus the other's, divided by all boxes"};
  spec.max_plies = geometry->edges;
  spec.symmetries = grid_symmetries(*geometry);
  return std::make_unique<GameOf<DotsAndBoxes>>(std::move(spec), DotsAndBoxes(std::move(geometry)));
}

}  // namespace rf
