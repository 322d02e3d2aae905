#include "search/tree.h"

#include "base/error.h"

namespace rf {

void Tree::clear() {
  nodes_.clear();
  edges_.clear();
}

std::int32_t Tree::add_node(int to_move) {
  Node node;
  node.to_move = std::int8_t(to_move);
  nodes_.push_back(node);
  return std::int32_t(nodes_.size() - 1);
}

void Tree::expand(std::int32_t i, std::span<const Action> legal, std::span<const float> prior) {
  Node& node = nodes_[std::size_t(i)];
  RF_ASSERT(node.num_edges == 0 && !node.terminal);
  node.first_edge = std::int32_t(edges_.size());
  node.num_edges = std::int32_t(legal.size());
  for (std::size_t k = 0; k < legal.size(); ++k) edges_.push_back({legal[k], prior[k]});
}

void Tree::keep_subtree(std::int32_t root) {
  spare_nodes_.clear();
  spare_edges_.clear();
  spare_nodes_.push_back(node(root));
  for (std::size_t i = 0; i < spare_nodes_.size(); ++i) {
    const Node old = spare_nodes_[i];  // first_edge still names the old arena
    spare_nodes_[i].first_edge = std::int32_t(spare_edges_.size());
    for (std::int32_t k = 0; k < old.num_edges; ++k) {
      Edge edge = edges_[std::size_t(old.first_edge + k)];
      if (edge.child >= 0) {
        spare_nodes_.push_back(node(edge.child));
        edge.child = std::int32_t(spare_nodes_.size() - 1);
      }
      spare_edges_.push_back(edge);
    }
  }
  nodes_.swap(spare_nodes_);
  edges_.swap(spare_edges_);
}

}  // namespace rf
