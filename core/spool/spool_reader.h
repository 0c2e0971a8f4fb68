// SpoolReader: reads the frames of one spool as far as they are complete, also while it grows.
//
// Owns the texts it has read and, from open() or next() to release(), a descriptor and a buffer: a
// recording has thousands of spools, and reads one at a time. One thread. A frame that is not
// complete yet is read by a later next(); one whose checksum does not hold is skipped and counted,
// and reading goes on at the next frame that holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/spool/spool_format.h"

namespace overlane
{

// One frame; the payload is valid until the reader's next call.
struct SpoolFrame {
    spool::FrameHeader header;
    const std::uint8_t* payload = nullptr;

    // Calls `use` for each record, whatever length the writer knew it with.
    template <typename Record, typename Use>
    void each(Use&& use) const
    {
        const std::size_t known = header.recordBytes < sizeof(Record) ? header.recordBytes : sizeof(Record);
        for (std::uint32_t at = 0; at < header.count; ++at) {
            Record record;
            std::memcpy(&record, payload + std::size_t{at} * header.recordBytes, known);
            use(record);
        }
    }
};

class SpoolReader
{
public:
    static Result<SpoolReader> open(const std::string& path);
    // Opens nothing before next().
    explicit SpoolReader(std::string path) : m_path(std::move(path)) {}
    SpoolReader(SpoolReader&& other) noexcept;
    SpoolReader& operator=(SpoolReader&& other) noexcept;
    ~SpoolReader();

    // The next complete frame other than Strings, which go into text(). False at the end of what
    // is complete so far, or where the file cannot be opened or read: error() says why then.
    bool next(SpoolFrame& frame);
    // Frees the descriptor and the buffer. The next next() goes on where this one stopped.
    void release();
    // For people; empty where nothing is wrong.
    const std::string& error() const { return m_error; }

    // Empty for an id that was not defined so far.
    std::string_view text(std::uint32_t id) const;
    bool hasText(std::uint32_t id) const { return id < m_texts.size() && m_known[id]; }

    const std::string& path() const { return m_path; }
    std::uint64_t readBytes() const { return m_position; }
    // What lies behind the last complete frame: a tail that a killed process left.
    std::uint64_t tailBytes() const;
    // Bytes of the buffer, 0 after release().
    std::size_t bufferBytes() const { return m_buffer.capacity(); }
    // Damage so far was counted by a reader before this one.
    void forgetDamage() { m_damagedFrames = 0; }
    std::uint64_t damagedFrames() const { return m_damagedFrames; }
    // Bytes of frames that turned out damaged; they may be looked at again, as part of others.
    std::uint64_t recheckedBytes() const { return m_recheckedBytes; }
    // The version of a frame that this reader cannot read; 0 = none seen. Reading stops there.
    int tooNewVersion() const { return m_tooNewVersion; }

private:
    enum class Look { Frame, Incomplete, Damaged };

    bool reopen();
    // Makes `bytes` from m_position on available in m_buffer; false at the end of the file.
    bool have(std::size_t bytes);
    // `least`: how far the next frame may be looked for where this is damaged.
    Look look(spool::FrameHeader& header, std::size_t& least);
    // Moves on to the next place, `least` bytes from here or behind, that may be the start of a frame.
    void resynchronize(std::size_t least);
    void readStrings(const spool::FrameHeader& header, const std::uint8_t* payload);

    int m_file = -1;
    std::string m_path;
    std::string m_error;
    std::vector<std::uint8_t> m_buffer;
    std::size_t m_used = 0;  // of the buffer, already given out
    std::size_t m_filled = 0;
    std::uint64_t m_position = 0;  // in the file, of m_used
    std::uint64_t m_damagedFrames = 0;
    std::uint64_t m_recheckedBytes = 0;  // of frames whose checksum did not hold
    bool m_lost = false;                 // between a damaged frame and the next whole one
    int m_tooNewVersion = 0;
    std::vector<std::string> m_texts;
    std::vector<bool> m_known;
};

}  // namespace overlane
