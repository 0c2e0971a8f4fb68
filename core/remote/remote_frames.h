// The frames in which another machine tells how its recording goes: a line of JSON, and the bytes that it announces.
//
// Pure but for the bytes that a FrameReader holds back until a frame is whole; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/system/child_process.h"

namespace overlane
{

struct RemoteFrame {
    enum class Kind : std::uint8_t {
        Output,  // bytes of the program's standard output
        Errors,  // of its standard error, and of the recorder's
        Status,  // the recorder's one line
        Ended,   // the recorder has ended as `end` says
        Lost,    // the recorder is gone and left no word of its end
    };
    Kind kind = Kind::Output;
    std::string text;
    ProgramEnd end;
};

std::string bytesOf(const RemoteFrame& frame);

class FrameReader
{
public:
    void add(std::string_view bytes) { m_bytes += bytes; }
    // The next whole one; none until more has come. The Error: what came is no frame.
    Result<std::optional<RemoteFrame>> next();

private:
    std::string m_bytes;
};

}  // namespace overlane
