#include "comm/dealer.h"

#include <algorithm>

#include "base/error.h"
#include "comm/mpi_world.h"

namespace rf {
namespace {

enum Kind : std::int64_t {
  // To rank 0.
  kAsk,        // one more block, please
  kStopAsked,  // stop all
  kFinishing,  // this rank has entered finish()
  kLast,       // nothing else comes from this rank
  // From rank 0.
  kBlock,    // first, count; count 0: no more
  kStop,     // at most once
  kDismiss,  // all are in finish(); first: 1 after a stop. Nothing else comes from rank 0.
};

}  // namespace

Dealer::Dealer(const Communicator& ranks, std::int64_t items, std::int64_t block)
    : ranks_(ranks), mailbox_(ranks), items_(items), block_(block), exhausted_(items == 0) {
  RF_ASSERT(items >= 0 && block >= 1);
  // The first block of each rank needs no message.
  const std::int64_t size = ranks.size();
  const std::int64_t first_block = std::min(block, items / (2 * size));
  pool_first_ = first_block * size;
  take({first_block * ranks.rank(), first_block});
}

Dealt Dealer::next() {
  if (no_more()) return {};
  if (stock_.empty()) return {Dealt::kNotYet, -1};
  Block& block = stock_.front();
  const std::int64_t item = block.first++;
  if (--block.count == 0) stock_.pop_front();
  --stock_items_;
  return {Dealt::kItem, item};
}

void Dealer::poll() {
  Message message;
  for (int from = 0; mailbox_.receive(message, from);) handle(message, from);
  if (exhausted_ || stopped_ || asked_ || stock_items_ >= block_) return;
  if (ranks_.rank() > 0) {
    mailbox_.send(0, {kAsk});
    asked_ = true;
    return;
  }
  const Block block = cut_block();
  take(block);
  exhausted_ = block.count == 0;
}

void Dealer::request_stop() {
  if (stopped_ || dismissed_) return;
  stopped_ = true;
  stock_.clear();
  stock_items_ = 0;
  if (ranks_.rank() > 0) {
    mailbox_.send(0, {kStopAsked});
  } else {
    for (int to = 1; to < ranks_.size(); ++to) mailbox_.send(to, {kStop});
  }
}

void Dealer::finish(const std::function<bool()>& stop_wanted) {
  if (!no_more()) request_stop();
  const int others = ranks_.size() - 1;
  Patience patience;
  const auto wait_until = [&](auto&& condition) {
    for (poll(); !condition(); poll()) {
      if (stop_wanted && stop_wanted()) request_stop();
      patience.wait();
    }
  };
  if (ranks_.rank() > 0) {
    mailbox_.send(0, {kFinishing});
    wait_until([&] { return dismissed_; });
    mailbox_.send(0, {kLast});
  } else {
    wait_until([&] { return finishing_ == others; });
    dismissed_ = true;
    for (int to = 1; to <= others; ++to) mailbox_.send(to, {kDismiss, stopped_ ? 1 : 0});
    wait_until([&] { return gone_ == others; });
  }
  mailbox_.close();
}

Dealer::Block Dealer::cut_block() {
  const std::int64_t left = items_ - pool_first_;
  const std::int64_t share = std::max<std::int64_t>(1, left / (2 * ranks_.size()));
  const Block block{pool_first_, std::min({left, block_, share})};
  pool_first_ += block.count;
  return block;
}

void Dealer::take(const Block& block) {
  if (block.count == 0) return;
  stock_.push_back(block);
  stock_items_ += block.count;
}

void Dealer::handle(const Message& message, int from) {
  switch (message.kind) {
    case kAsk: {
      const Block block = stopped_ ? Block{} : cut_block();
      mailbox_.send(from, {kBlock, block.first, block.count});
      return;
    }
    case kStopAsked:
      return request_stop();
    case kFinishing:
      ++finishing_;
      return;
    case kLast:
      ++gone_;
      return;
    case kBlock:
      asked_ = false;
      exhausted_ = exhausted_ || message.count == 0;
      if (!stopped_) take({message.first, message.count});
      return;
    case kStop:
      stopped_ = true;
      stock_.clear();
      stock_items_ = 0;
      return;
    case kDismiss:
      dismissed_ = true;
      stopped_ = message.first != 0;  // a stop that crossed this message came too late for the others
      return;
    default:
      RF_ASSERT(false);
  }
}

}  // namespace rf
