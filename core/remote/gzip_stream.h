// GzipStream: bytes compressed as they come, for `gzip -dc` to read.
//
// Owns zlib's state; one thread. Level 1: what goes over is libraries, once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace overlane
{

class GzipStream
{
public:
    GzipStream();
    ~GzipStream();
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;

    // What of it can be handed on already.
    std::string add(std::string_view bytes);
    // The rest; nothing may be added behind it.
    std::string end();

private:
    struct State;
    std::string work(std::string_view bytes, int flush);

    std::unique_ptr<State> m_state;
};

}  // namespace overlane
