// A digest made smaller: fewer steps, evenly, and collectives up to a step. What was left out is counted.
//
// Pure functions, any thread.
#pragma once

#include <cstddef>

#include "core/job/rank_digest.h"

namespace overlane
{

// Keeps every second, fourth, ... step by its number, so that all ranks of a job keep the same ones; by place where
// that keeps none or too many.
void thinSteps(RankDigest& digest, std::size_t most);
// Keeps the first ones, whole steps of them where the digest has steps.
void cutCollectives(RankDigest& digest, std::size_t most);

}  // namespace overlane
