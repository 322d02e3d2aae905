#include "search/puct.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"

namespace rf {

double exploration(const SearchConfig& config, double N) {
  if (config.c_puct_base <= 0) return config.c_puct;
  return config.c_puct + std::log((N + config.c_puct_base + 1) / config.c_puct_base);
}

double dirichlet_alpha(const SearchConfig& config, std::size_t num_legal) {
  if (config.dirichlet_rule == AlphaRule::kFixed) return config.dirichlet_alpha;
  return config.dirichlet_total / double(num_legal);
}

void visit_policy(std::span<const int> visits, double tau, std::span<double> pi) {
  RF_ASSERT(visits.size() == pi.size());
  const int most = *std::max_element(visits.begin(), visits.end());
  double sum = 0;
  for (std::size_t i = 0; i < pi.size(); ++i) {
    if (most == 0) {
      pi[i] = 1;
    } else if (visits[i] == 0) {
      pi[i] = 0;
    } else {
      // Relative to the most visited, in logarithms: exp() of something <= 0 cannot overflow.
      const double log_share = std::log(double(visits[i]) / most);
      pi[i] = log_share == 0 ? 1 : (tau <= 0 ? 0 : std::exp(log_share / tau));
    }
    sum += pi[i];
  }
  for (double& p : pi) p /= sum;
}

std::size_t sample_visits(std::span<const int> visits, double tau, RandomStream& stream) {
  std::vector<double> pi(visits.size());
  visit_policy(visits, tau, pi);
  double left = stream.uniform();
  std::size_t last = 0;
  for (std::size_t i = 0; i < pi.size(); ++i) {
    if (pi[i] == 0) continue;
    last = i;  // rounding may leave a little beyond the last entry
    left -= pi[i];
    if (left < 0) break;
  }
  return last;
}

}  // namespace rf
