#include "core/cli/printable_stream.h"

#include <algorithm>

#include "core/base/printable_text.h"

namespace overlane
{
namespace
{

// Bytes at the end of `text` that begin a character and do not finish it.
std::size_t unfinishedBytes(std::string_view text)
{
    for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(text.size(), 3); ++bytes) {
        const auto first = static_cast<unsigned char>(text[text.size() - bytes]);
        if ((first & 0xC0) == 0x80)
            continue;
        const std::size_t whole = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
        return whole > bytes ? bytes : 0;
    }
    return 0;
}

}  // namespace

PrintableStream::PrintableStream(std::ostream& target) : std::ostream(nullptr), m_target(target), m_buffer(target)
{
    rdbuf(&m_buffer);
}

PrintableStream::~PrintableStream()
{
    m_buffer.writeRest();
}

void PrintableStream::writeRaw(std::string_view text)
{
    m_buffer.writeRest();
    m_target << text;
}

bool PrintableStream::Buffer::writeRest()
{
    m_target << printableText(m_pending, TextLines::Several);
    m_pending.clear();
    return m_target.good();
}

std::streambuf::int_type PrintableStream::Buffer::overflow(int_type byte)
{
    const char one = traits_type::to_char_type(byte);
    return traits_type::eq_int_type(byte, traits_type::eof()) || xsputn(&one, 1) == 1 ? traits_type::not_eof(byte)
                                                                                      : traits_type::eof();
}

std::streamsize PrintableStream::Buffer::xsputn(const char* bytes, std::streamsize count)
{
    m_pending.append(bytes, static_cast<std::size_t>(count));
    const std::size_t kept = unfinishedBytes(m_pending);
    const std::string_view whole(m_pending.data(), m_pending.size() - kept);
    if (isPrintable(whole, TextLines::Several))
        m_target << whole;
    else
        m_target << printableText(whole, TextLines::Several);
    m_pending.erase(0, whole.size());
    return m_target.good() ? count : 0;
}

int PrintableStream::Buffer::sync()
{
    m_target.flush();
    return m_target.good() ? 0 : -1;
}

std::ostream& eraseLine(std::ostream& stream)
{
    constexpr std::string_view kEraseLine = "\r\x1b[K";
    if (auto* printable = dynamic_cast<PrintableStream*>(&stream))
        printable->writeRaw(kEraseLine);
    else
        stream << kEraseLine;
    return stream;
}

}  // namespace overlane
