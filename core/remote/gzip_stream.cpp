#include "core/remote/gzip_stream.h"

#include <array>
#include <new>
#include <zlib.h>

namespace overlane
{
namespace
{

constexpr int kLevel = 1;
constexpr int kGzipWindow = 15 + 16;  // the largest window, and gzip's head and sum (zlib.h)
constexpr int kUsualMemory = 8;

}  // namespace

struct GzipStream::State {
    z_stream stream{};
};

GzipStream::GzipStream() : m_state(std::make_unique<State>())
{
    if (deflateInit2(&m_state->stream, kLevel, Z_DEFLATED, kGzipWindow, kUsualMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

GzipStream::~GzipStream()
{
    deflateEnd(&m_state->stream);
}

std::string GzipStream::work(std::string_view bytes, int flush)
{
    z_stream& stream = m_state->stream;
    // zlib only reads them.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string made;
    std::array<char, 1 << 16> block;
    do {
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        deflate(&stream, flush);
        made.append(block.data(), block.size() - stream.avail_out);
    } while (stream.avail_out == 0);
    return made;
}

std::string GzipStream::add(std::string_view bytes)
{
    return work(bytes, Z_NO_FLUSH);
}

std::string GzipStream::end()
{
    return work({}, Z_FINISH);
}

}  // namespace overlane
