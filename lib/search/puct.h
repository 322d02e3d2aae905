// The arithmetic of the search, as pure functions.
#pragma once

#include <span>

#include "base/random_stream.h"
#include "search/config.h"

namespace rf {

// Exploration factor at a node of N visits: c_puct, or with a base the growing form
// c_puct + log((N + base + 1) / base) (Silver et al. 2018, supplement).
double exploration(const SearchConfig& config, double N);

// alpha of the root noise for that many legal actions.
double dirichlet_alpha(const SearchConfig& config, std::size_t num_legal);

// pi[i] = visits[i]^(1/tau) / sum, computed without overflow for any tau >= 0; tau = 0 shares 1 among the
// most visited. Throws nothing; with all visits 0 the result is uniform.
void visit_policy(std::span<const int> visits, double tau, std::span<double> pi);

// Draws an index from visit_policy; tau = 0 takes the most visited, ties decided by the stream.
std::size_t sample_visits(std::span<const int> visits, double tau, RandomStream& stream);

}  // namespace rf
