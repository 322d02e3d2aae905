#include "comm/mailbox.h"

#include <deque>

#include "base/error.h"
#include "comm/mpi_world.h"

namespace rf {
namespace {
constexpr int kTag = 1;
constexpr int kWords = 3;
static_assert(sizeof(Message) == kWords * sizeof(std::int64_t));
}  // namespace

struct Mailbox::Post {
  struct Sent {
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  MPI_Comm comm = MPI_COMM_NULL;
  std::deque<Sent> sent;  // oldest first; a deque does not move what it holds
};

Mailbox::Mailbox(const Communicator& ranks) {
  if (!ranks.mpi_world()) return;
  post_ = std::make_unique<Post>();
  MPI_Comm_dup(ranks.mpi_world()->comm, &post_->comm);
}

Mailbox::~Mailbox() {
  if (post_ && !post_->sent.empty()) static_cast<void>(post_.release());  // MPI may still read the buffers
}

void Mailbox::send(int to, const Message& message) {
  RF_ASSERT(post_ != nullptr);
  Post::Sent& sent = post_->sent.emplace_back();
  sent.message = message;
  MPI_Isend(&sent.message, kWords, MPI_INT64_T, to, kTag, post_->comm, &sent.request);
}

bool Mailbox::receive(Message& message, int& from) {
  if (!post_) return false;
  while (!post_->sent.empty()) {
    int done = 0;
    MPI_Test(&post_->sent.front().request, &done, MPI_STATUS_IGNORE);
    if (!done) break;
    post_->sent.pop_front();
  }
  int arrived = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, kTag, post_->comm, &arrived, &status);
  if (!arrived) return false;
  from = status.MPI_SOURCE;
  MPI_Recv(&message, kWords, MPI_INT64_T, from, kTag, post_->comm, MPI_STATUS_IGNORE);
  return true;
}

void Mailbox::close() {
  if (!post_) return;
  for (Post::Sent& sent : post_->sent) wait_patiently(&sent.request);
  post_->sent.clear();
  MPI_Comm_free(&post_->comm);
  post_.reset();
}

}  // namespace rf
