// Legal moves of Xiangqi counted to a depth: nodes per second (the last ply is counted, not played), one
// thread. Names are position/depth; xiangqi_perft.py reads them.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "xiangqi_positions.h"

namespace rf::testing {
namespace {

struct BenchPosition {
  const char* name;
  const char* fen;  // one of tests/data/xiangqi/perft.txt
};
constexpr BenchPosition kPositions[] = {
    {"start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"},
    {"opening", "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1"},
    {"middle_a", "1r1a1k3/3Ra4/n2cb1n2/p1p3p1p/4C4/2P1r4/P3N1P1P/4BC3/4A4/2BAK2R1 w - - 0 1"},
    {"middle_b", "2baka3/1R7/3c5/4p3C/2p3R2/2P6/2r1c3n/C3B2rN/4Ap3/3NKAB2 b - - 0 1"},
    {"checks", "CnN1k1b2/c3a4/4ba3/9/2nr5/9/9/4C4/4A4/4KA3 w - - 0 1"},
    {"end", "3k5/9/9/9/9/9/9/9/1R7/R3K4 w - - 0 1"},
};

void perft(benchmark::State& loop, const XiangqiCount& count) {
  XiangqiPosition position = xiangqi_parse_fen(count.fen, 120);
  for (auto _ : loop) {
    if (position.board.count_lines(position.color, count.depth) != count.nodes) {
      loop.SkipWithError("wrong number of nodes");
      return;
    }
  }
  loop.counters["nodes"] = double(count.nodes);
  loop.counters["depth"] = count.depth;
  loop.SetItemsProcessed(loop.iterations() * count.nodes);
  loop.SetLabel(count.fen);
}

}  // namespace
}  // namespace rf::testing

int main(int argc, char** argv) {
  using namespace rf::testing;
  const std::vector<XiangqiCount> counts = xiangqi_counts();
  for (const BenchPosition& position : kPositions) {
    for (const XiangqiCount& count : counts) {
      if (count.fen != position.fen || count.depth < 3 || count.nodes > 10'000'000) continue;
      benchmark::RegisterBenchmark((std::string(position.name) + "/" + std::to_string(count.depth)).c_str(),
                                   perft, count)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
