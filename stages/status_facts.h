// What a run has, as one JSON object: what `rf-status --json` prints and the screen shows.
#pragma once

#include "run/json_file.h"
#include "run/run_directory.h"

namespace rf {

// {run, path, created, software, config_digest, config: {"section.key": value as in YAML} of run.yaml,
//  amendments: [{number, time, from, keys: {"section.key": value}}],
//  effective_config_digest,                                   of the next iteration, null if not clear
//  game, network,
//  state: "new" | "running" | "crashed" | "unknown" | "stopped" | "finished",
//  lock: {stage, host, pid, job, since, text} or null,
//  champion: {iteration, file, since, reason} or null,
//  finished_iterations,
//  next: {iteration, stage, command, sealed_shards, sealed_games, checkpoint, match_games} or null,
//  iterations: [{iteration, games, mean_plies, first_wins, second_wins, draws, unique_rows, policy_entropy,
//                policy_loss, value_loss, target_entropy, top1, match: {share, games, duplicates} or null,
//                promoted, yardstick: {playouts, points, games} or null,
//                seconds: {generate, train, gate}}],          null for what is not there (yet)
//  games, seconds,                                            sums over the iterations
//  events: {count, torn_lines, repeated_lines},
//  config_changes: {"section.key": value},                    if --config or --set is given
//  pruned: {"shards": {iterations, files, bytes}, ...},       what jobs/prune took away, by kind
//  damaged: [sentence], gaps: [sentence], warnings: [sentence]}
//
// States: running, its owner is seen; crashed, the lock's owner died; unknown, the owner is on another host;
// stopped, nobody holds the lock and an iteration is half done; finished, nobody does and none is.
// Files that cannot be read are listed in `damaged`, and what they say is null. Only reads.
Json status_facts(const RunDirectory& run);

}  // namespace rf
