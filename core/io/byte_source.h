// Byte sources: where an importer gets its text from, without knowing whether it was compressed.
//
// A source is read by one thread, front to back. Decompression is bounded: a gzip file that
// expands far more than any text does is refused while only a few buffers were ever in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace overlane
{

class ByteSource
{
public:
    virtual ~ByteSource() = default;

    // Fills up to target.size() bytes; 0 at the end. An Error means: give the whole file up.
    virtual Result<std::size_t> read(std::span<char> target) = 0;
    // One sentence where the end came too early (cut or corrupt gzip data); else empty.
    virtual std::string damage() const { return {}; }
    // How much of the source has been used, 0 to 1.
    virtual double fraction() const = 0;
};

// Text that is already in memory; the caller keeps it alive.
class MemorySource final : public ByteSource
{
public:
    explicit MemorySource(std::string_view text) : m_text(text) {}
    Result<std::size_t> read(std::span<char> target) override;
    double fraction() const override;

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

// Opens a regular file, plain or gzip (told by its first two bytes). Inflating runs on a thread
// of its own, so that it overlaps with parsing. A cancel of `progress`, which must outlive the source,
// ends even a read of gzip data that hold nothing.
Result<std::unique_ptr<ByteSource>> openByteSource(const std::string& path, const Progress* progress = nullptr);

// As openByteSource, but inflates on the caller's thread: for reading only the head of a file.
Result<std::unique_ptr<ByteSource>> openByteSourceInline(const std::string& path, const Progress* progress = nullptr);

}  // namespace overlane
