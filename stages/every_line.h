// rf-gate --versus every: one network against every sequence of moves that an opponent could choose.
#pragma once

#include "config/command_line.h"
#include "stage_frame.h"

namespace rf {

// For small games: Error(kUsage) when more positions than kEveryLinePositions would have to be searched. Each
// position is searched afresh, without noise; ties are decided by a stream that belongs to the position.
// Collective (ranks above 0 only wait); returns the exit status.
int play_every_line(const StageFrame& frame, const CommandLine& line);

inline constexpr long long kEveryLinePositions = 20000;

}  // namespace rf
