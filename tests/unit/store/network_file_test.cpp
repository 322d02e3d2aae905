#include "store/network_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/files.h"
#include "store/tensor_file.h"
#include "unit/store/expect_error.h"
#include "unit/store/temp_folder.h"

namespace rf {
namespace {

NetworkFile sample(NetworkConfig config = {}) {
  NetworkFile file;
  file.architecture = {"gomoku width=6 height=6 line=4 planes=own2", 2, 6, 6, 36, config};
  file.weights = initial_weights(file.architecture, 5);
  file.run_id = "run-1";
  file.iteration = 7;
  file.step = 12345;
  return file;
}

NetworkConfig with(int channels, bool batch_norm = true) {
  NetworkConfig config;
  config.channels = channels;
  config.batch_norm = batch_norm;
  return config;
}

TEST(NetworkFile, GivesBackEveryKindOfNetwork) {
  const TempFolder folder;
  NetworkConfig plain;
  plain.kind = NetworkKind::kPlain;
  plain.plain_channels = {8, 16, 4};
  plain.activation = Activation::kElu;
  NetworkConfig no_list = with(3);
  no_list.plain_channels = {};
  for (const NetworkConfig& config : {NetworkConfig{}, plain, with(5, false), no_list}) {
    const NetworkFile written = sample(config);
    const std::string digest = write_network(folder / "n.h5", written);
    const NetworkFile read = read_network(folder / "n.h5");
    EXPECT_EQ(read.architecture, written.architecture);
    EXPECT_EQ(read.weights, written.weights);
    EXPECT_EQ(read.run_id, "run-1");
    EXPECT_EQ(read.iteration, 7);
    EXPECT_EQ(read.step, 12345);
    EXPECT_EQ(read.digest, digest);
    EXPECT_NO_THROW(expect_architecture(read, written.architecture, folder / "n.h5"));
  }
}

TEST(NetworkFile, NamesTheFirstPropertyThatDiffers) {
  const NetworkFile file = sample();
  const auto refused = [&](const std::vector<std::string>& words, auto change) {
    Architecture expected = file.architecture;
    change(expected);
    expect_error(ExitCode::kBadData, words, [&] { expect_architecture(file, expected, "some/n.h5"); });
  };
  refused({"some/n.h5", "game", "line=4", "tic_tac_toe"}, [](Architecture& a) { a.game_id = "tic_tac_toe"; });
  refused({"some/n.h5", "cols 6", "expected: 8"}, [](Architecture& a) { a.cols = 8; });
  refused({"num_actions 36", "expected: 37"}, [](Architecture& a) { a.num_actions = 37; });
  refused({"network.channels 32", "expected: 64"}, [](Architecture& a) { a.network.channels = 64; });
  refused({"network.activation relu", "expected: elu"},
          [](Architecture& a) { a.network.activation = Activation::kElu; });
  refused({"network.plain_channels 32 64 128", "expected: 1"},
          [](Architecture& a) { a.network.plain_channels = {1}; });
  refused({"network.batch_norm 1", "expected: 0"}, [](Architecture& a) { a.network.batch_norm = false; });
  EXPECT_NO_THROW(expect_game(file, file.architecture.game_id, "n.h5"));
  EXPECT_THROW(expect_game(file, "gomoku width=7 height=6 line=4 planes=own2", "n.h5"), Error);
}

TEST(NetworkFile, RefusesWeightsThatDoNotFit) {
  const TempFolder folder;
  NetworkFile file = sample();
  file.weights.at("value.out.bias")[0] = NAN;
  expect_error(ExitCode::kBadData, {"value.out.bias", "not finite"},
               [&] { write_network(folder / "n.h5", file); });
  file = sample();
  file.weights.erase("stem.weight");
  expect_error(ExitCode::kBadData, {"stem.weight"}, [&] { write_network(folder / "n.h5", file); });
  EXPECT_TRUE(folder.names().empty());
}

// The digest is right, the content is not.
TEST(NetworkFile, RefusesAFileThatContradictsItself) {
  const TempFolder folder;
  write_network(folder / "n.h5", sample());
  const TensorFile good = read_tensor_file(folder / "n.h5", kNetworkFiletype);
  const auto refused = [&](const std::vector<std::string>& words, auto change) {
    TensorFile file = good;
    change(file);
    write_tensor_file(folder / "bad.h5", file);
    expect_error(ExitCode::kBadData, words, [&] { read_network(folder / "bad.h5"); });
  };
  refused({"bad.h5", "stem.weight"},
          [](TensorFile& f) { f.attributes["network.channels"] = std::int64_t(64); });
  refused({"bad.h5", "network.blocks", "1000000"},
          [](TensorFile& f) { f.attributes["network.blocks"] = std::int64_t(1000000); });
  refused({"bad.h5", "network.kind", "transformer"},
          [](TensorFile& f) { f.attributes["network.kind"] = std::string("transformer"); });
  refused({"bad.h5", "network.plain_channels", "8 x"},
          [](TensorFile& f) { f.attributes["network.plain_channels"] = std::string("8 x"); });
  refused({"bad.h5", "network.batch_norm"}, [](TensorFile& f) { f.attributes.erase("network.batch_norm"); });
  refused({"bad.h5", "game_id"}, [](TensorFile& f) { f.attributes.erase("game_id"); });
  refused({"bad.h5", "rows", "-1"}, [](TensorFile& f) { f.attributes["rows"] = std::int64_t(-1); });
  refused({"bad.h5", "policy.linear.bias"}, [](TensorFile& f) { f.tensors.erase("policy.linear.bias"); });
  refused({"bad.h5", "tensor more"}, [](TensorFile& f) { f.tensors["more"] = {{1}, {1}}; });
  refused({"bad.h5", "value.out.bias", "not finite"},
          [](TensorFile& f) { f.tensors["value.out.bias"].values[0] = INFINITY; });
  refused({"bad.h5", "stem.weight", "another shape"}, [](TensorFile& f) {
    std::swap(f.tensors["stem.weight"].shape[0], f.tensors["stem.weight"].shape[1]);
  });
}

TEST(NetworkFile, RefusesACutAndAnotherKind) {
  const TempFolder folder;
  write_network(folder / "n.h5", sample());
  const std::string whole = read_file(folder / "n.h5");
  for (const double share : {0.1, 0.5, 0.99}) {
    write_file_atomically(folder / "cut.h5", whole.substr(0, std::size_t(share * double(whole.size()))));
    expect_error(ExitCode::kBadData, {"cut.h5"}, [&] { read_network(folder / "cut.h5"); });
  }
  TensorFile training;
  training.kind = kTrainingFiletype;
  write_tensor_file(folder / "t.h5", training);
  expect_error(ExitCode::kBadData, {"t.h5", "rankfile-network"}, [&] { read_network(folder / "t.h5"); });
  expect_error(ExitCode::kInputMissing, {"none.h5"}, [&] { read_network(folder / "none.h5"); });
}

}  // namespace
}  // namespace rf
