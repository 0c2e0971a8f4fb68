#include "core/io/zstd_codec.h"

#include <cassert>
#include <string>
#include <zstd.h>

namespace overlane
{

PackedBytes zstdPack(std::span<const std::uint8_t> raw)
{
    constexpr int kLevel = 3;
    PackedBytes packed(ZSTD_compressBound(raw.size()));
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), kLevel);
    assert(!ZSTD_isError(size));  // the buffer has the size that zstd asks for
    packed.resize(size);
    return packed;
}

Result<PackedBytes> zstdUnpack(std::span<const std::uint8_t> packed, std::size_t rawBytes)
{
    const unsigned long long promised = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (promised == ZSTD_CONTENTSIZE_ERROR || promised == ZSTD_CONTENTSIZE_UNKNOWN)
        return Error{"a block of " + std::to_string(packed.size()) + " bytes is not Zstandard data."};
    if (promised != rawBytes)
        return Error{"a block unpacks to " + std::to_string(promised) + " bytes where " + std::to_string(rawBytes) +
                     " are announced."};
    PackedBytes raw(rawBytes);
    const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), packed.data(), packed.size());
    if (ZSTD_isError(size))
        return Error{std::string("a block cannot be unpacked (") + ZSTD_getErrorName(size) + ")."};
    if (size != rawBytes)
        return Error{"a block ends after " + std::to_string(size) + " of " + std::to_string(rawBytes) + " bytes."};
    return raw;
}

}  // namespace overlane
