// One iteration's training as files see it: window in, checkpoints on the way, candidate and manifest out.
// Every rank reads the window and computes its rows of each batch; rank 0 alone writes and speaks.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/timer.h"
#include "learn/batch_part.h"
#include "learn/checkpoint.h"
#include "learn/trainer.h"
#include "replay/shuffle.h"
#include "replay/window.h"
#include "stage_frame.h"

namespace rf {

class Training {
 public:
  // Loads the window and the weights to start from, or the checkpoint of an interrupted call. `part`: this
  // rank's rows. Collective, as the others; throws Error(kTryAgain) when the ranks do not read the same.
  Training(const StageFrame& frame, int iteration, const BatchPart& part);
  // False when a signal stopped it, on any rank; a checkpoint is written then. When training diverges the
  // checkpoint is removed, so that the next call begins anew. Throws what Trainer::train throws.
  bool run();
  // Writes the candidate (network.h5, training.h5) and the manifest. No rank returns before they are sealed.
  void finish();

 private:
  struct Start {  // where training begins
    Weights weights;
    std::optional<Checkpoint> state;  // optimiser and schedule, if there are any
    std::string from;                 // "champion of iteration 3"
    std::string digest;
  };
  // The window's shards, newest iteration first; adds them to `inputs` with their digests.
  std::vector<IterationShards> shards(Json& inputs) const;
  void warn_of_pruned() const;
  Start choose_start() const;
  void resume_or_begin();
  void make_trainer(const Weights& weights);
  void restore_state(const Checkpoint& state);
  void expect_same_start() const;
  bool train_batches();
  void train_batch();
  void save_checkpoint();
  void check_weights() const;
  void write_candidate(double cpu);
  void say(const std::string& line) const;  // rank 0
  std::string set_id() const;
  std::filesystem::path checkpoint_path() const;

  const StageFrame& frame_;
  int iteration_;
  BatchPart part_;
  Json inputs_ = Json::array();
  ReplayWindow window_;
  Start start_;
  std::int64_t new_unique_rows_ = 0;
  std::int64_t num_batches_ = 0;
  std::int64_t batches_ = 0;
  std::int64_t resumed_at_ = 0;
  Shuffle shuffle_;
  std::unique_ptr<Trainer> trainer_;
  TrainCurve curve_;
  Timer timer_;
  Timer since_checkpoint_;
  double gather_seconds_ = 0, sum_seconds_ = 0;
  std::vector<std::int64_t> rows_;
  std::vector<float> planes_, policy_, value_;
};

}  // namespace rf
