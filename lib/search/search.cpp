#include "search/search.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random_stream.h"
#include "search/puct.h"

namespace rf {

Search::Search(const Game& game, const SearchConfig& config, int simulations)
    : game_(game), config_(config), root_state_(game.initial_state()) {
  if (simulations > 0) config_.simulations = simulations;
  leaves_.resize(std::size_t(config_.leaves_in_flight));
  for (Leaf& leaf : leaves_) leaf.state = game.initial_state();
}

void Search::set_root(const State& state) {
  RF_ASSERT(num_waiting_ == 0);
  root_state_->assign(state);
  root_state_->begin_search();
  tree_.clear();
}

void Search::advance(Action action) {
  RF_ASSERT(num_waiting_ == 0);
  root_state_->apply(action);
  root_state_->begin_search();
  if (tree_.empty()) return;
  std::int32_t child = -1;
  for (const Edge& edge : tree_.edges(0)) {
    if (edge.action == action) child = edge.child;
  }
  if (config_.tree_reuse && child >= 0 && tree_.node(child).num_edges > 0) {
    tree_.keep_subtree(child);
  } else {
    tree_.clear();
  }
}

void Search::begin(RandomStream& stream, RootNoise noise) {
  RF_ASSERT(!root_state_->terminal());
  started_ = 0;
  deepest_ = 0;
  truncated_ = false;
  salt_ = combine64(stream.key(), stream.next());
  first_evaluation_ = num_evaluations_;  // salts do not depend on what this object has searched before
  noise_.clear();
  if (tree_.empty()) tree_.add_node(root_state_->to_move());
  if (noise == RootNoise::kOn && config_.dirichlet_epsilon > 0) {
    root_state_->legal_actions(leaves_[0].legal);
    noise_.resize(leaves_[0].legal.size());
    stream.dirichlet(dirichlet_alpha(config_, noise_.size()), noise_);
  }
  if (tree_.node(0).num_edges > 0) mix_noise();
}

void Search::mix_noise() {
  const auto edges = tree_.edges(0);
  root_prior_.resize(edges.size());
  const float epsilon = noise_.empty() ? 0.f : float(config_.dirichlet_epsilon);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    root_prior_[i] = (1 - epsilon) * edges[i].prior + (noise_.empty() ? 0.f : epsilon * noise_[i]);
  }
}

bool Search::done() const {
  return num_waiting_ == 0 && !tree_.empty() && tree_.node(0).num_edges > 0 &&
         (started_ >= config_.simulations || truncated_);
}

void Search::request(Leaf& leaf, std::vector<EvalRequest>& out) {
  leaf.prior.resize(leaf.legal.size());
  EvalRequest request;
  request.state = leaf.state.get();
  request.legal = leaf.legal;
  request.salt = combine64(salt_, std::uint64_t(num_evaluations_++ - first_evaluation_));
  request.prior = leaf.prior;
  request.value = &leaf.value;
  out.push_back(request);
  ++num_waiting_;
}

void Search::collect(std::vector<EvalRequest>& out) {
  RF_ASSERT(num_waiting_ == 0);
  if (tree_.node(0).num_edges == 0) {
    Leaf& leaf = leaves_[0];
    leaf.state->assign(*root_state_);
    leaf.state->legal_actions(leaf.legal);
    leaf.path.clear();
    leaf.node = 0;
    request(leaf, out);
    return;
  }
  while (started_ < config_.simulations && num_waiting_ < leaves_.size()) {
    if (tree_.num_nodes() >= std::size_t(config_.max_nodes)) {
      truncated_ = true;
      return;
    }
    Leaf& leaf = leaves_[num_waiting_];
    const Descent how = descend(leaf);
    if (how == Descent::kCollision) return;
    ++started_;
    if (how == Descent::kLeaf) request(leaf, out);
  }
}

Search::Descent Search::descend(Leaf& leaf) {
  leaf.path.clear();
  leaf.state->assign(*root_state_);
  std::int32_t at = 0;
  for (;;) {
    const std::int32_t chosen = select(at);
    leaf.path.push_back({at, chosen});
    Edge* edge = &tree_.edges(at)[std::size_t(chosen)];
    leaf.state->apply(edge->action);
    if (edge->child < 0) {
      const std::int32_t child = tree_.add_node(leaf.state->to_move());
      edge->child = child;
      Node& node = tree_.node(child);
      if (leaf.state->terminal()) {
        node.terminal = true;
        node.terminal_value = leaf.state->outcome();
      } else {
        leaf.state->legal_actions(leaf.legal);
        leaf.node = child;
        for (const Step& step : leaf.path) {
          ++tree_.node(step.node).pending;
          ++tree_.edges(step.node)[std::size_t(step.edge)].pending;
        }
        deepest_ = std::max(deepest_, int(leaf.path.size()));
        return Descent::kLeaf;
      }
    }
    at = edge->child;
    const Node& node = tree_.node(at);
    if (node.terminal) {
      deepest_ = std::max(deepest_, int(leaf.path.size()));
      back_up(leaf.path, at, node.terminal_value);
      return Descent::kTerminal;
    }
    if (node.num_edges == 0) return Descent::kCollision;  // waits for evaluation already
  }
}

std::int32_t Search::select(std::int32_t at) const {
  const Node& node = tree_.node(at);
  const auto edges = tree_.edges(at);
  const float* root_prior = at == 0 ? root_prior_.data() : nullptr;
  const double loss = config_.virtual_loss;
  const double N = node.visits + loss * node.pending;
  const double factor = exploration(config_, N) * std::sqrt(N);

  double best_score = -INFINITY, visited_mass = 0;
  float best_new_prior = -1;
  std::int32_t best = -1, best_new = -1;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const float P = root_prior ? root_prior[i] : edge.prior;
    if (edge.visits == 0 && edge.pending == 0) {  // these differ in P alone
      if (P > best_new_prior) {
        best_new_prior = P;
        best_new = std::int32_t(i);
      }
      continue;
    }
    visited_mass += P;
    const double lost = loss * edge.pending;
    const double n = edge.visits + lost;
    const double Q = n > 0 ? (edge.total_value - lost) / n : -1;
    const double score = Q + factor * P / (1 + n);
    if (score > best_score) {
      best_score = score;
      best = std::int32_t(i);
    }
  }
  if (best_new < 0) return best;
  const double reduction = at == 0 ? config_.fpu_reduction_root : config_.fpu_reduction;
  const double score = node.mean_value() - reduction * std::sqrt(visited_mass) + factor * best_new_prior;
  return score > best_score ? best_new : best;
}

void Search::back_up(const std::vector<Step>& path, std::int32_t leaf, float value) {
  Node& end = tree_.node(leaf);
  const int player = end.to_move;
  ++end.visits;
  end.total_value += value;
  for (const Step& step : path) {
    Node& node = tree_.node(step.node);
    Edge& edge = tree_.edges(step.node)[std::size_t(step.edge)];
    const double v = node.to_move == player ? value : -value;
    ++node.visits;
    node.total_value += v;
    ++edge.visits;
    edge.total_value += v;
  }
}

void Search::absorb() {
  for (std::size_t i = 0; i < num_waiting_; ++i) {
    Leaf& leaf = leaves_[i];
    tree_.expand(leaf.node, leaf.legal, leaf.prior);
    for (const Step& step : leaf.path) {
      --tree_.node(step.node).pending;
      --tree_.edges(step.node)[std::size_t(step.edge)].pending;
    }
    back_up(leaf.path, leaf.node, leaf.value);
    if (leaf.node == 0) mix_noise();
  }
  num_waiting_ = 0;
}

SearchResult Search::result() const {
  RF_ASSERT(done());
  SearchResult result;
  const auto edges = tree_.edges(0);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    result.actions.push_back(edge.action);
    result.visits.push_back(edge.visits);
    result.prior.push_back(root_prior_[i]);
    result.mean_value.push_back(edge.visits > 0 ? float(edge.total_value / edge.visits) : 0.f);
  }
  result.root_value = float(tree_.node(0).mean_value());
  return result;
}

std::vector<Action> Search::principal_variation(int max_plies) const {
  std::vector<Action> line;
  for (std::int32_t at = 0; at >= 0 && int(line.size()) < max_plies;) {
    const Edge* best = nullptr;
    for (const Edge& edge : tree_.edges(at)) {
      if (edge.visits > 0 && (best == nullptr || edge.visits > best->visits)) best = &edge;
    }
    if (best == nullptr) break;
    line.push_back(best->action);
    at = best->child;
  }
  return line;
}

}  // namespace rf
