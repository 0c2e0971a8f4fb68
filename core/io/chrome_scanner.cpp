#include "core/io/chrome_scanner.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace overlane
{
namespace
{

enum class Class : std::uint8_t { Other, Space, Quote, Open, Close, Separator };

constexpr std::array<Class, 256> makeClasses()
{
    std::array<Class, 256> classes{};
    for (const unsigned char c : {' ', '\n', '\r', '\t'})
        classes[c] = Class::Space;
    classes['"'] = Class::Quote;
    classes['{'] = classes['['] = Class::Open;
    classes['}'] = classes[']'] = Class::Close;
    classes[','] = classes[':'] = Class::Separator;
    return classes;
}
constexpr std::array<Class, 256> kClasses = makeClasses();

Class classOf(char c)
{
    return kClasses[static_cast<unsigned char>(c)];
}

}  // namespace

// True once the closing quote was passed.
bool JsonValueScanner::feedString(const char*& at, const char* end)
{
    while (at < end) {
        if (m_escaped) {
            m_escaped = false;
            ++at;
            continue;
        }
        const auto* quote = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
        const char* stop = quote != nullptr ? quote : end;
        const char* run = stop;
        while (run > at && run[-1] == '\\')
            --run;
        m_escaped = (stop - run) % 2 == 1;
        at = stop;
        if (quote != nullptr && !m_escaped) {
            ++at;
            m_inString = false;
            return true;
        }
    }
    return false;
}

JsonValueScanner::Status JsonValueScanner::feedScalar(const char*& at, const char* end)
{
    for (; at < end; ++at) {
        const Class kind = classOf(*at);
        if (kind == Class::Quote || kind == Class::Open)
            return Status::Broken;
        if (kind != Class::Other)
            return Status::Complete;
    }
    return Status::NeedMore;
}

JsonValueScanner::Status JsonValueScanner::feed(const char*& at, const char* end)
{
    if (!m_started && at < end) {
        m_started = true;
        const Class kind = classOf(*at);
        m_scalar = kind == Class::Other;
        if (kind == Class::Close || kind == Class::Separator)
            return Status::Broken;
    }
    if (m_scalar)
        return feedScalar(at, end);
    while (at < end) {
        if (m_inString) {
            if (!feedString(at, end))
                return Status::NeedMore;
            if (m_depth == 0)
                return Status::Complete;
            m_afterString = true;
            continue;
        }
        const Class kind = classOf(*at);
        if (m_afterString && kind != Class::Space) {
            if (kind != Class::Separator && kind != Class::Close)
                return Status::Broken;
            m_afterString = false;
        }
        ++at;
        if (kind == Class::Quote) {
            m_inString = true;
        } else if (kind == Class::Open) {
            ++m_depth;
        } else if (kind == Class::Close && --m_depth == 0) {
            return Status::Complete;
        }
    }
    return Status::NeedMore;
}

}  // namespace overlane
