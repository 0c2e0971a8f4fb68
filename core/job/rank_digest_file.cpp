#include "core/job/rank_digest_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/text_file.h"
#include "core/io/format.h"
#include "core/io/overlane_checksum.h"
#include "core/job/rank_digest_body.h"
#include "core/job/rank_digest_layout.h"
#include "core/job/rank_digest_thinning.h"

namespace overlane
{
namespace
{

constexpr std::uint32_t kDigestVersion = 1;
constexpr std::size_t kDigestHeadBytes = 8 + 3 * sizeof(std::uint32_t);
// Columns of a full digest unpack to some 200 KiB.
constexpr std::size_t kMostBodyBytes = std::size_t{4} << 20;

void addWord(PackedBytes& bytes, std::uint32_t word)
{
    for (int shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

std::uint32_t wordAt(std::span<const std::uint8_t> bytes, std::size_t at)
{
    std::uint32_t word = 0;
    for (std::size_t byte = 0; byte < sizeof(word); ++byte)
        word |= std::uint32_t{bytes[at + byte]} << (8 * byte);
    return word;
}

std::uint32_t sumOf(std::span<const std::uint8_t> body)
{
    OverlaneChecksum sum;
    sum.add(body);
    return static_cast<std::uint32_t>(sum.value());
}

PackedBytes packed(const RankDigest& digest)
{
    const PackedBytes body = digestBody(digest);
    PackedBytes file(kDigestLetters.begin(), kDigestLetters.end());
    addWord(file, kDigestVersion);
    addWord(file, static_cast<std::uint32_t>(body.size()));
    addWord(file, sumOf(body));
    const PackedBytes small = zstdPack(body);
    file.insert(file.end(), small.begin(), small.end());
    return file;
}

}  // namespace

bool isDigest(std::string_view head)
{
    return head.starts_with(kDigestLetters);
}

PackedBytes packedDigest(RankDigest digest)
{
    constexpr std::size_t kFewSteps = 256;
    limitTexts(digest);
    thinSteps(digest, kMostDigestSteps);
    cutCollectives(digest, kMostDigestCollectives);
    PackedBytes file = packed(digest);
    while (file.size() > kMostDigestBytes) {
        if (digest.steps.size() > kFewSteps || (digest.collectives.empty() && !digest.steps.empty()))
            thinSteps(digest, digest.steps.size() / 2);
        else if (!digest.collectives.empty())
            cutCollectives(digest, digest.collectives.size() * 3 / 4);
        else if (!digest.groups.empty())
            digest.groups.resize(digest.groups.size() / 2);
        else
            break;
        file = packed(digest);
    }
    return file;
}

Result<RankDigest> unpackedDigest(std::span<const std::uint8_t> file)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (!isDigest(text))
        return Error{"it is no digest of a rank."};
    if (file.size() < kDigestHeadBytes)
        return Error{"it ends within its head; make the digest again."};
    if (file.size() > kMostDigestBytes)
        return Error{fmt::format("it has {} bytes where a digest has {} at most.", file.size(), kMostDigestBytes)};
    const std::uint32_t version = wordAt(file, kDigestLetters.size());
    if (version != kDigestVersion)
        return Error{
            fmt::format("it is a digest of version {}, and this program reads version {}; make the digest "
                        "again with it.",
                        version, kDigestVersion)};
    const std::size_t bytes = wordAt(file, kDigestLetters.size() + 4);
    if (bytes > kMostBodyBytes)
        return Error{fmt::format("it announces {} bytes, more than a digest has; make the digest again.", bytes)};
    const Result<PackedBytes> body = zstdUnpack(file.subspan(kDigestHeadBytes), bytes);
    if (!body.ok() || sumOf(body.value()) != wordAt(file, kDigestLetters.size() + 8))
        return Error{"it is cut off or damaged; make the digest again."};
    return digestOfBody(body.value());
}

Result<void> writeDigest(const RankDigest& digest, const std::string& path)
{
    const PackedBytes file = packedDigest(digest);
    return writeTextFile(path, {reinterpret_cast<const char*>(file.data()), file.size()});
}

Result<RankDigest> readDigest(const std::string& path)
{
    ASSIGN_OR_RETURN(const std::string text, readTextFile(path, kMostDigestBytes));
    Result<RankDigest> digest = unpackedDigest({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    if (!digest.ok())
        return digest.failure().in(path);
    return digest;
}

}  // namespace overlane
