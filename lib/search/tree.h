// Arena of nodes and edges. Indices instead of pointers; nothing is recursive, not even freeing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "games/game.h"

namespace rf {

struct Edge {
  Action action;
  float prior;  // P, without root noise
  std::int32_t child = -1;
  std::int32_t visits = 0;   // N
  std::int32_t pending = 0;  // descents through this edge whose leaf waits for evaluation
  double total_value = 0;    // W, for the player to move at the edge's node
};

struct Node {
  std::int32_t first_edge = 0;
  std::int32_t num_edges = 0;  // 0: terminal, or not yet expanded
  std::int32_t visits = 0;     // its own evaluation + the visits of its edges
  std::int32_t pending = 0;
  double total_value = 0;  // for the player to move here
  float terminal_value = 0;
  std::int8_t to_move = 0;
  bool terminal = false;
  double mean_value() const { return visits > 0 ? total_value / visits : 0; }
};

class Tree {
 public:
  void clear();
  bool empty() const { return nodes_.empty(); }
  std::size_t num_nodes() const { return nodes_.size(); }
  std::int32_t add_node(int to_move);
  // Gives the node its edges, in the order of `legal`.
  void expand(std::int32_t node, std::span<const Action> legal, std::span<const float> prior);
  Node& node(std::int32_t i) { return nodes_[std::size_t(i)]; }
  const Node& node(std::int32_t i) const { return nodes_[std::size_t(i)]; }
  std::span<Edge> edges(std::int32_t i) {
    const Node& n = nodes_[std::size_t(i)];
    return {edges_.data() + n.first_edge, std::size_t(n.num_edges)};
  }
  std::span<const Edge> edges(std::int32_t i) const { return const_cast<Tree*>(this)->edges(i); }
  // Keeps only the subtree of `node`, which becomes node 0. Breadth first, into the spare arena.
  void keep_subtree(std::int32_t node);

 private:
  std::vector<Node> nodes_, spare_nodes_;
  std::vector<Edge> edges_, spare_edges_;
};

}  // namespace rf
