#include "search/puct.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace rf {
namespace {

TEST(VisitPolicy, IsFiniteAndSumsToOneAtAnyTemperature) {
  const std::vector<int> visits = {800, 790, 10, 0};
  for (double tau : {1.0, 0.1, 0.01, 0.001, 1e-6, 0.0, 50.0}) {
    std::vector<double> pi(visits.size());
    visit_policy(visits, tau, pi);
    double sum = 0;
    for (double p : pi) {
      EXPECT_TRUE(std::isfinite(p)) << tau;
      sum += p;
    }
    EXPECT_NEAR(sum, 1, 1e-12) << tau;
    EXPECT_EQ(pi[3], 0) << tau;
    EXPECT_GE(pi[0], pi[1]) << tau;
  }
  std::vector<double> pi(visits.size());
  visit_policy(visits, 1, pi);
  EXPECT_NEAR(pi[0], 0.5, 1e-12);
  visit_policy(visits, 1e-6, pi);
  EXPECT_NEAR(pi[0], 1, 1e-9);
}

TEST(VisitPolicy, EqualCountsAreAllChosenSometimes) {
  const std::vector<int> visits(5, 7);
  RandomStream stream(1);
  for (double tau : {1.0, 0.01, 0.0}) {
    std::vector<int> chosen(5);
    for (int i = 0; i < 1000; ++i) ++chosen[sample_visits(visits, tau, stream)];
    for (int count : chosen) EXPECT_GT(count, 120) << tau;
  }
}

TEST(VisitPolicy, NoVisitsAtAllAreUniform) {
  std::vector<double> pi(4);
  visit_policy(std::vector<int>(4, 0), 0, pi);
  for (double p : pi) EXPECT_EQ(p, 0.25);
}

TEST(SampleVisits, FollowsTheCounts) {
  const std::vector<int> visits = {1, 0, 3};
  RandomStream stream(2);
  std::vector<int> chosen(3);
  for (int i = 0; i < 4000; ++i) ++chosen[sample_visits(visits, 1, stream)];
  EXPECT_EQ(chosen[1], 0);
  EXPECT_NEAR(chosen[0], 1000, 100);
}

TEST(Exploration, GrowsWithVisitsOnlyWhenThereIsABase) {
  SearchConfig config;
  config.c_puct = 1.25;
  EXPECT_EQ(exploration(config, 1e6), 1.25);
  config.c_puct_base = 19652;
  EXPECT_NEAR(exploration(config, 0), 1.25 + std::log(19653.0 / 19652), 1e-12);
  EXPECT_NEAR(exploration(config, 19651), 1.25 + std::log(2.0), 1e-12);
}

TEST(DirichletAlpha, FixedOrByLegalActions) {
  SearchConfig config;
  config.dirichlet_total = 10.8;
  EXPECT_DOUBLE_EQ(dirichlet_alpha(config, 36), 0.3);
  config.dirichlet_rule = AlphaRule::kFixed;
  config.dirichlet_alpha = 0.03;
  EXPECT_DOUBLE_EQ(dirichlet_alpha(config, 36), 0.03);
}

}  // namespace
}  // namespace rf
