// Any bytes as a rank's digest: as the file, and as the body behind its checksum.
#include "core/job/rank_digest_body.h"
#include "core/job/rank_digest_file.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/unit/job/made_up_digest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace overlane;
    const std::span<const std::uint8_t> bytes(data, size);
    const auto file = unpackedDigest(bytes);
    if (!file.ok() && file.error().empty())
        std::abort();
    const auto body = digestOfBody(bytes);
    if (!body.ok())
        return 0;
    // What can be read can be written within the limit, and reads back.
    const PackedBytes again = packedDigest(body.value());
    if (again.size() > kMostDigestBytes || !unpackedDigest(again).ok())
        std::abort();
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    std::vector<std::string> all;
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        const RankDigest digest = test::madeUpDigest(seed, 20 * seed, 100 * seed);
        for (const PackedBytes& bytes : {packedDigest(digest), digestBody(digest)})
            all.emplace_back(bytes.begin(), bytes.end());
    }
    return all;
}
