// TextSink: a text that grows in a new file, plain or gzip, which takes its name when the text is complete.
//
// Owns the file and a buffer of some hundred KiB, never the whole text. One thread. Errors are the reason alone,
// without the name of the file; after one the sink can only be dropped, and an older file is as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/atomic_file.h"
#include "core/base/result.h"

namespace overlane
{

class TextSink
{
public:
    // Gzip where `path` ends with ".gz".
    static Result<TextSink> open(const std::string& path);

    TextSink(TextSink&&) noexcept;
    TextSink& operator=(TextSink&&) = delete;
    ~TextSink();

    // What is to be written next; append to it.
    std::string& text() { return m_text; }
    // Writes what has piled up where it is enough to be worth it.
    Result<void> pass() { return m_text.size() < kEnoughBytes ? Result<void>() : flush(); }
    Result<void> commit();

private:
    static constexpr std::size_t kEnoughBytes = std::size_t{256} << 10;
    struct Gzip;

    TextSink(AtomicFile file, std::unique_ptr<Gzip> gzip);
    Result<void> flush();
    Result<void> deflateAll(bool last);
    Result<void> put(std::string_view bytes);

    AtomicFile m_file;
    std::unique_ptr<Gzip> m_gzip;  // none for plain text
    std::string m_text;
    std::int64_t m_writtenBytes = 0;
};

}  // namespace overlane
