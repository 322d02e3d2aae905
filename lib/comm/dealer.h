// Deals numbered work items to ranks while they work, in small blocks and ahead of need: long and short items
// balance, and a busy rank 0 stalls nobody. Rank 0 works too. One-sided calls are not used: over some
// transports they wait until the target enters MPI.
//
//   Dealer dealer(ranks, items, 4);
//   for (Dealt d = dealer.next(); ; d = dealer.next()) {   // one item at a time; many at once work alike
//     if (d.state == Dealt::kNoMore) break;
//     if (d.state == Dealt::kItem) work_on(d.item); else sleep a millisecond;
//     dealer.poll();
//   }
//   dealer.finish(stop_requested);
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "comm/communicator.h"
#include "comm/mailbox.h"

namespace rf {

struct Dealt {
  enum State { kItem, kNotYet, kNoMore } state = kNoMore;
  std::int64_t item = -1;  // of kItem, [0, items)
};

class Dealer {
 public:
  // Collective. items >= 0; block >= 1: the most items in one message. Blocks shrink towards the end.
  Dealer(const Communicator& ranks, std::int64_t items, std::int64_t block);
  Dealer(const Dealer&) = delete;
  Dealer& operator=(const Dealer&) = delete;

  // Never waits. Every item in [0, items) comes once, on one rank, unless a stop comes first. After kNoMore
  // always kNoMore. kNotYet: call poll() and ask again later.
  Dealt next();
  // To be called on every rank every few milliseconds, once per batch step: answers, asks, spreads a stop.
  void poll();

  // On any rank: no rank gets another item once it has polled; unstarted items are dropped.
  void request_stop();
  bool stopped() const { return stopped_; }

  // Collective: serves until all ranks are here, and returns with the same stopped() on all. Called before
  // kNoMore it is a stop. `stop_wanted` is asked while waiting (base/signals.h: stop_requested).
  void finish(const std::function<bool()>& stop_wanted = {});

 private:
  struct Block {
    std::int64_t first = 0, count = 0;
  };
  Block cut_block();  // rank 0: takes the next block off the pool; count 0 when it is empty
  void take(const Block& block);
  void handle(const Message& message, int from);
  bool no_more() const { return stopped_ || (exhausted_ && stock_.empty()); }

  Communicator ranks_;
  Mailbox mailbox_;
  std::int64_t items_;
  std::int64_t block_;
  std::int64_t pool_first_ = 0;  // rank 0: items from here on are undealt
  std::deque<Block> stock_;      // dealt to this rank, not yet handed out
  std::int64_t stock_items_ = 0;
  bool asked_ = false;      // a request is under way
  bool exhausted_ = false;  // this rank gets no further block
  bool stopped_ = false;
  bool dismissed_ = false;  // rank 0 has said that all ranks are in finish()
  int finishing_ = 0;       // rank 0: other ranks in finish()
  int gone_ = 0;            // rank 0: other ranks that have sent their last message
};

}  // namespace rf
