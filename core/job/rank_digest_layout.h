// What the writer and the reader of a digest's body share: ids of sections, order of members, limits. Constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/job/rank_digest.h"

namespace overlane
{

// Numbers are stored in files: append, never renumber.
enum class DigestSection : std::uint8_t {
    Texts = 1,
    Numbers = 2,
    Findings = 3,
    Steps = 4,
    Groups = 5,
    Collectives = 6,
    Strip = 7,
};

constexpr std::size_t kLongestDigestText = 1000;
constexpr std::size_t kMostDigestFindings = 64;
constexpr std::size_t kMostDigestGroups = 512;
// Of what is written: 512 full digests take some 30 MB of memory. A reader takes up to four times as much.
constexpr std::size_t kMostDigestSteps = 512;
constexpr std::size_t kMostDigestCollectives = 4096;
constexpr std::size_t kReadersFactor = 4;

// In the order of the file: append, never reorder.
inline constexpr std::string RankIdentity::*kDigestIdentityTexts[] = {&RankIdentity::host, &RankIdentity::source};
inline constexpr std::string RankDigest::*kDigestTexts[] = {
    &RankDigest::file,         &RankDigest::format,   &RankDigest::program, &RankDigest::device,
    &RankDigest::deviceChoice, &RankDigest::headline, &RankDigest::bound,   &RankDigest::damage};
inline constexpr std::int64_t RankDigest::*kDigestNumbers[] = {
    &RankDigest::fileBytes, &RankDigest::fileChangedNs, &RankDigest::startEpochNs,      &RankDigest::events,
    &RankDigest::stepNs,    &RankDigest::stepsLeftOut,  &RankDigest::collectivesLeftOut};
// Before them: rank, world size, local rank, device, whether kernels are known, span, active range.
constexpr std::size_t kDigestOwnNumbers = 9;

}  // namespace overlane
