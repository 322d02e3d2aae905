#include "comm/launcher.h"

#include <gtest/gtest.h>

#include <map>

namespace rf {
namespace {

Launch launch_in(const std::map<std::string, std::string>& environment) {
  return detect_launch([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launcher, APlainStartHasNone) {
  EXPECT_FALSE(launch_in({}).by_launcher);
  // A batch script or an allocation is no launch; nor is what a shell inherits from salloc.
  EXPECT_FALSE(launch_in({{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "4"}}).by_launcher);
}

TEST(Launcher, MpirunSaysTheSize) {
  const Launch launch = launch_in({{"OMPI_COMM_WORLD_SIZE", "3"}, {"PMIX_RANK", "0"}});
  EXPECT_TRUE(launch.by_launcher);
  EXPECT_EQ(launch.announced_size, 3);
  EXPECT_EQ(launch.source, "OMPI_COMM_WORLD_SIZE=3");
}

TEST(Launcher, MpirunInsideASlurmStepCounts) {
  const Launch launch = launch_in({{"OMPI_COMM_WORLD_SIZE", "4"},
                                   {"SLURM_STEP_ID", "0"},
                                   {"SLURM_STEP_NUM_TASKS", "1"},
                                   {"SLURM_NTASKS", "8"}});
  EXPECT_EQ(launch.announced_size, 4);
}

TEST(Launcher, SrunSaysTheSizeOfTheStepNotOfTheJob) {
  const Launch launch = launch_in(
      {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_NTASKS", "8"}, {"PMIX_RANK", "1"}});
  EXPECT_TRUE(launch.by_launcher);
  EXPECT_EQ(launch.announced_size, 2);
  EXPECT_EQ(launch_in({{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "8"}}).announced_size, 8);
}

TEST(Launcher, SrunOfOneTaskNeedsMpiOnlyWithPmix) {
  EXPECT_FALSE(launch_in({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}).by_launcher);
  const Launch launch =
      launch_in({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"PMIX_RANK", "0"}});
  EXPECT_TRUE(launch.by_launcher);
  EXPECT_EQ(launch.announced_size, 1);
}

TEST(Launcher, PmiOfOtherMpis) {
  EXPECT_EQ(launch_in({{"PMI_RANK", "0"}, {"PMI_SIZE", "6"}}).announced_size, 6);
  const Launch silent = launch_in({{"PMI_RANK", "0"}});
  EXPECT_TRUE(silent.by_launcher);
  EXPECT_EQ(silent.announced_size, 0);
  EXPECT_TRUE(launch_in({{"PMIX_RANK", "0"}}).by_launcher);
}

}  // namespace
}  // namespace rf
