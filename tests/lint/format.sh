#!/bin/sh
# Every C++ file is as clang-format 14 writes it: format.sh ROOT
# To fix: clang-format-14 -i FILE
set -eu
cd "$1"
find lib stages tests \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z |
  xargs -0 clang-format-14 --dry-run -Werror
