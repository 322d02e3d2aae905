// Small messages between ranks that nobody waits for.
#pragma once

#include <cstdint>
#include <memory>

#include "comm/communicator.h"

namespace rf {

struct Message {
  std::int64_t kind = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// Messages between two ranks arrive in the order of sending. Mailboxes do not see each other's messages.
class Mailbox {
 public:
  explicit Mailbox(const Communicator& ranks);  // collective
  // Unless close() was called, what was sent is left to MPI: the program is being aborted.
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Never waits.
  void send(int to, const Message& message);
  // False when nothing has arrived. Also lets MPI get on with what was sent.
  bool receive(Message& message, int& from);
  // Collective. All messages must have been received.
  void close();

 private:
  struct Post;
  std::unique_ptr<Post> post_;  // null in a local communicator, and after close()
};

}  // namespace rf
