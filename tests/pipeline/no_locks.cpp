// Preloaded into a program: flock and the locks of fcntl fail as on a network file system that has none.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

extern "C" int flock(int, int) {
  errno = ENOLCK;
  return -1;
}

static int unlocked_fcntl(int fd, int command, void* argument) {
  if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW) {
    errno = ENOLCK;
    return -1;
  }
  return int(::syscall(SYS_fcntl, fd, command, argument));
}

extern "C" int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  return unlocked_fcntl(fd, command, argument);
}

extern "C" int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  return unlocked_fcntl(fd, command, argument);
}
