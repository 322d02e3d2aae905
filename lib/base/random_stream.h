// Counter-based random streams. A stream belongs to a game (or another numbered thing), never to a
// rank, a thread or the clock: the same (seed, iteration, index, purpose) gives the same numbers anywhere.
// The generator is SplitMix64 (Steele, Lea, Flood 2014): output = mix(key + counter * golden ratio).
#pragma once

#include <cstdint>
#include <span>

namespace rf {

// What a stream is for; streams of different purposes never overlap.
enum class Purpose : std::uint64_t {
  kSelfPlay = 1,  // noise and move sampling of one game
  kSymmetry = 2,  // which symmetry a leaf is seen through
  kRollout = 3,   // moves of random rollouts
  kOpening = 4,   // opening of one colour pair
  kMatch = 5,     // ties and moves of one match game
  kWeights = 6,   // first weights of a network
  kShuffle = 7,   // order of the training rows
  kTest = 8,
};

// Mixes 64 bits so that every input bit moves every output bit.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Order matters: combine(a, b) != combine(b, a).
constexpr std::uint64_t combine64(std::uint64_t a, std::uint64_t b) {
  return mix64(a * 0x9e3779b97f4a7c15ULL + mix64(b + 0x9e3779b97f4a7c15ULL));
}

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t key) : key_(key) {}

  std::uint64_t next() { return mix64(key_ + ++counter_ * 0x9e3779b97f4a7c15ULL); }
  std::uint64_t operator()() { return next(); }

  double uniform();                          // [0, 1)
  std::uint32_t below(std::uint32_t bound);  // [0, bound), bound >= 1, without bias
  double normal();                           // mean 0, variance 1
  double gamma(double shape);                // shape > 0, scale 1 (Marsaglia and Tsang 2000)
  // Fills `out` with one draw from a symmetric Dirichlet distribution; sums to 1.
  void dirichlet(double alpha, std::span<float> out);

  std::uint64_t key() const { return key_; }
  std::uint64_t counter() const { return counter_; }
  void seek(std::uint64_t counter) { counter_ = counter; }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

// The stream of thing number `index` of an iteration.
RandomStream make_stream(std::uint64_t run_seed, std::uint64_t iteration, std::uint64_t index,
                         Purpose purpose);

}  // namespace rf
