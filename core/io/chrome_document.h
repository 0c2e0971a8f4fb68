// ChromeDocument: walks a Chrome trace-event file and hands out its events one by one as text.
//
// Takes {"traceEvents": [...], ...} and a bare array. Memory is one buffer that grows only for a
// single very large event. Broken text costs the event it is in: the walk goes on at the next
// "}, {" and says where it stumbled. However the text is broken, the bytes looked at grow with the
// bytes of the text (scannedBytes()). A cancel ends the walk within one item and kReadBytes of text.
// Owns its buffer; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"
#include "core/io/chrome_scanner.h"

namespace overlane
{

class ChromeDocument
{
public:
    enum class ItemKind {
        Event,        // text is the whole {...}
        BrokenEvent,  // offset is where the reader stumbled
        NotAnObject,  // an element of the list that is no object
        Property,     // key and text of another top-level member
        Bracket,      // the walk goes on into the document, the list of events, or behind it
        End,          // the closing bracket
        Cut,          // the text ended before it, or is no JSON from here on
        Foreign,      // the text does not begin as trace-event JSON; nothing follows
    };
    struct Item {
        ItemKind kind = ItemKind::End;
        std::string_view key;
        // Valid until the next call; at least kPadding readable bytes follow it.
        std::string_view text;
        std::int64_t offset = 0;  // in the decompressed text
    };
    static constexpr std::size_t kPadding = 64;
    // The most that is read, and looked at, between two looks for a cancel.
    static constexpr std::size_t kReadBytes = std::size_t{1} << 20;
    // Bytes that the search for the end of a broken event may look at again, beside those it has
    // passed: enough for every small file, and a factor of two at most for a large one.
    static constexpr std::int64_t kRescanAllowance = std::int64_t{1} << 20;

    ChromeDocument(ByteSource& source, const Progress& progress);

    // An Error, which names the file, where the source must be given up; that of a cancel, where one came.
    Result<Item> next();
    bool sawEventList() const { return m_sawEventList; }
    // Grows with each refill: a moment to report progress.
    std::int64_t refills() const { return m_refills; }
    // Bytes looked at so far, each as often as it was.
    std::int64_t scannedBytes() const { return m_scannedBytes; }

private:
    enum class State { Start, Members, Events, Done };

    int peek();  // the next byte that is no space, or -1 at the end
    bool refill(const char*& at);
    Result<Item> start();
    Item member();
    Item element();
    Item finish(ItemKind kind);
    // Scans the value at m_at; the text stays in the buffer unless it exceeds `limit`.
    JsonValueScanner::Status scan(std::size_t limit, std::string_view& text);
    void resynchronize();
    void returnIntoBrokenEvent();
    std::int64_t offset() const { return m_base + static_cast<std::int64_t>(m_at); }

    ByteSource& m_source;
    const Progress& m_progress;
    std::vector<char> m_buffer;
    std::size_t m_at = 0;
    std::size_t m_keep = 0;  // bytes from here on must survive a refill
    std::size_t m_end = 0;
    std::int64_t m_base = 0;  // offset of the buffer's first byte in the text
    std::int64_t m_refills = 0;
    std::int64_t m_scannedBytes = 0;
    std::int64_t m_rescannedBytes = 0;  // of these, those that a return into a broken event cost
    std::string m_key;
    State m_state = State::Start;
    bool m_topLevelArray = false;
    bool m_sawEventList = false;
    bool m_sourceEnded = false;
    bool m_oversize = false;
    std::optional<Error> m_error;
};

}  // namespace overlane
