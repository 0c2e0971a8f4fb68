#include "core/io/chrome_document.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace overlane
{
namespace
{

constexpr std::size_t kLargestEventBytes = std::size_t{64} << 20;
constexpr std::size_t kLargestPropertyBytes = std::size_t{1} << 20;

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

ChromeDocument::ChromeDocument(ByteSource& source, const Progress& progress)
    : m_source(source), m_progress(progress), m_buffer(kReadBytes + kPadding)
{
}

// Moves what must be kept to the front and reads behind it; false at the end of the source and on a
// cancel.
bool ChromeDocument::refill(const char*& at)
{
    const auto position = static_cast<std::size_t>(at - m_buffer.data());
    if (m_sourceEnded)
        return false;
    if (m_keep > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_keep, m_end - m_keep);
        m_end -= m_keep;
        m_base += static_cast<std::int64_t>(m_keep);
    }
    std::size_t moved = position - m_keep;
    m_at -= std::min(m_at, m_keep);
    m_keep = 0;
    if (m_end + kPadding >= m_buffer.size())
        m_buffer.resize(2 * m_buffer.size());
    const std::size_t room = std::min(m_buffer.size() - kPadding - m_end, kReadBytes);
    const Result<std::size_t> count = m_progress.cancelled() ? Result<std::size_t>(Error::cancelled())
                                                             : m_source.read(std::span(m_buffer.data() + m_end, room));
    ++m_refills;
    if (!count.ok())
        m_error = count.failure();
    m_sourceEnded = !count.ok() || count.value() == 0;
    m_end += count.ok() ? count.value() : 0;
    at = m_buffer.data() + moved;
    return !m_sourceEnded;
}

int ChromeDocument::peek()
{
    for (;;) {
        const std::size_t from = m_at;
        while (m_at < m_end && isSpace(m_buffer[m_at]))
            ++m_at;
        m_scannedBytes += static_cast<std::int64_t>(m_at - from);
        if (m_at < m_end)
            return static_cast<unsigned char>(m_buffer[m_at]);
        m_keep = m_at;
        const char* at = m_buffer.data() + m_at;
        if (!refill(at))
            return -1;
    }
}

JsonValueScanner::Status ChromeDocument::scan(std::size_t limit, std::string_view& text)
{
    JsonValueScanner scanner;
    m_keep = m_at;
    m_oversize = false;
    const char* at = m_buffer.data() + m_at;
    for (;;) {
        const char* from = at;
        const JsonValueScanner::Status status = scanner.feed(at, m_buffer.data() + m_end);
        m_scannedBytes += at - from;
        if (status == JsonValueScanner::Status::NeedMore) {
            if (m_end - m_keep > limit) {
                m_oversize = true;
                m_keep = m_end;
            }
            if (refill(at))
                continue;
        }
        text = m_oversize ? std::string_view()
                          : std::string_view(m_buffer.data() + m_keep,
                                             static_cast<std::size_t>(at - m_buffer.data()) - m_keep);
        m_at = static_cast<std::size_t>(at - m_buffer.data());
        return status;
    }
}

// Goes to the '{' of the next "}, {", or to the end.
void ChromeDocument::resynchronize()
{
    const char* at = m_buffer.data() + m_at;
    enum { Nothing, Brace, Comma } seen = Nothing;
    for (;;) {
        const char* end = m_buffer.data() + m_end;
        const char* from = at;
        if (seen == Nothing) {
            const void* brace = std::memchr(at, '}', static_cast<std::size_t>(end - at));
            at = brace != nullptr ? static_cast<const char*>(brace) + 1 : end;
            seen = brace != nullptr ? Brace : Nothing;
        }
        for (; at < end && seen != Nothing; ++at) {
            if (*at == '{' && seen == Comma) {
                m_at = static_cast<std::size_t>(at - m_buffer.data());
                m_scannedBytes += at - from;
                return;
            }
            if (*at == '}')
                seen = Brace;
            else if (*at == ',' && seen == Brace)
                seen = Comma;
            else if (!isSpace(*at))
                seen = Nothing;
        }
        m_at = static_cast<std::size_t>(at - m_buffer.data());
        m_keep = m_at;
        m_scannedBytes += at - from;
        if (at == end && !refill(at)) {
            m_at = m_end;
            return;
        }
    }
}

// A missing quote shows late, possibly in a later event: look again from the beginning of the event.
// Text that is broken on purpose makes every event end at the same far place, so that the bytes gone
// over again are limited by those that were passed; beyond that the walk goes on behind the break.
void ChromeDocument::returnIntoBrokenEvent()
{
    const auto again = static_cast<std::int64_t>(m_at - m_keep);
    if (m_oversize || m_rescannedBytes + again > kRescanAllowance + offset())
        return;
    m_rescannedBytes += again;
    m_at = m_keep + 1;
}

ChromeDocument::Item ChromeDocument::finish(ItemKind kind)
{
    m_state = State::Done;
    Item item;
    item.kind = kind;
    item.offset = offset();
    return item;
}

Result<ChromeDocument::Item> ChromeDocument::start()
{
    const char* bom = "\xEF\xBB\xBF";
    if (peek() == 0xEF && m_end - m_at >= 3 && std::memcmp(m_buffer.data() + m_at, bom, 3) == 0)
        m_at += 3;
    const int first = peek();
    if (m_error)
        return *m_error;
    if (first != '{' && first != '[')
        return finish(ItemKind::Foreign);
    ++m_at;
    m_topLevelArray = first == '[';
    m_sawEventList = m_topLevelArray;
    m_state = m_topLevelArray ? State::Events : State::Members;
    return Item{ItemKind::Bracket, {}, {}, 0};
}

ChromeDocument::Item ChromeDocument::member()
{
    while (peek() == ',')
        ++m_at;
    const int first = peek();
    if (first == '}')
        return finish(ItemKind::End);
    std::string_view text;
    if (first != '"' || scan(kLargestPropertyBytes, text) != JsonValueScanner::Status::Complete || m_oversize)
        return finish(ItemKind::Cut);
    m_key = text.substr(1, text.size() - 2);
    if (peek() != ':')
        return finish(ItemKind::Cut);
    ++m_at;
    const int value = peek();
    if (m_key == "traceEvents" && value == '[') {
        ++m_at;
        m_sawEventList = true;
        m_state = State::Events;
        return {ItemKind::Bracket, {}, {}, offset()};
    }
    Item item{ItemKind::Property, m_key, {}, offset()};
    if (value < 0 || scan(kLargestPropertyBytes, item.text) != JsonValueScanner::Status::Complete)
        return finish(ItemKind::Cut);
    return item;
}

ChromeDocument::Item ChromeDocument::element()
{
    while (peek() == ',')
        ++m_at;
    const int first = peek();
    if (first < 0)
        return finish(ItemKind::Cut);
    if (first == ']') {
        ++m_at;
        if (m_topLevelArray)
            return finish(ItemKind::End);
        m_state = State::Members;
        return {ItemKind::Bracket, {}, {}, offset()};
    }
    Item item{first == '{' ? ItemKind::Event : ItemKind::NotAnObject, {}, {}, offset()};
    const JsonValueScanner::Status status = scan(kLargestEventBytes, item.text);
    if (status == JsonValueScanner::Status::Complete && !m_oversize)
        return item;
    item.text = {};
    item.kind = ItemKind::BrokenEvent;
    if (status == JsonValueScanner::Status::Broken) {
        item.offset = offset();
        returnIntoBrokenEvent();
        resynchronize();
    }
    return item;
}

Result<ChromeDocument::Item> ChromeDocument::next()
{
    if (m_progress.cancelled())
        return Error::cancelled();
    Result<Item> item = Item{};
    switch (m_state) {
        case State::Start:
            item = start();
            break;
        case State::Members:
            item = member();
            break;
        case State::Events:
            item = element();
            break;
        case State::Done:
            break;
    }
    if (m_error)
        return *m_error;
    return item;
}

}  // namespace overlane
