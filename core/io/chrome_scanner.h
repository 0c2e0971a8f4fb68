// JsonValueScanner: finds where one JSON value ends, without looking at what it means.
//
// Fed in pieces, so that a value may span buffers. It follows quotes and brackets only; what
// follows a string must be one of , : } ], which exposes a missing quote within a few bytes.
// Stateful, one thread.
#pragma once

namespace overlane
{

class JsonValueScanner
{
public:
    enum class Status { Complete, NeedMore, Broken };

    // Scans from `at`, which is moved: past the value's end when Complete, to `end` when more is
    // needed, to the offending byte when Broken. The first byte of a value must not be a space.
    Status feed(const char*& at, const char* end);

private:
    Status feedScalar(const char*& at, const char* end);
    bool feedString(const char*& at, const char* end);

    int m_depth = 0;
    bool m_started = false;
    bool m_scalar = false;
    bool m_inString = false;
    bool m_escaped = false;      // the next byte of the string stands for itself
    bool m_afterString = false;  // only space since the last closing quote
};

}  // namespace overlane
