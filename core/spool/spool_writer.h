// SpoolWriter: collects records and appends them to one spool file, a write() per flush.
//
// Owns the file and the text of every string it was given. One thread, that of the collector or engine.
// Compiled into the recorded program: no dependencies beyond the standard library, no exception
// but one for lack of memory, and nothing it does can print. When a write fails the file is cut back to its last
// whole frame; from then on the writer keeps nothing and its memory is free. A file that may not
// grow (ulimit -f) raises no signal in the program.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/spool/spool_format.h"

namespace overlane
{

class SpoolWriter
{
public:
    SpoolWriter();
    SpoolWriter(const SpoolWriter&) = delete;
    SpoolWriter& operator=(const SpoolWriter&) = delete;
    ~SpoolWriter();

    // Makes DIR/<pid>-<time>.spool, readable by its owner only. False: error() says why. Behind abandon() another one,
    // which knows no text of the one before.
    bool open(const std::string& directory, std::uint32_t pid, std::int64_t timeNs);
    bool isOpen() const { return m_file >= 0; }
    const std::string& path() const { return m_path; }

    // The id of a text; the text is written with the next flush where it is new. A text may get
    // another id later: a program that never repeats a name must not fill the memory. kNone where there
    // is no file, or no more writing to it.
    std::uint32_t intern(std::string_view text);

    template <typename Record>
    void add(const Record& record)
    {
        append(spool::FrameOf<Record>::kKind, &record, sizeof(Record));
    }

    // Writes everything added so far. False where that failed, now or before.
    bool flush();
    std::size_t pendingBytes() const { return m_pendingBytes; }
    std::uint64_t writtenBytes() const { return m_writtenBytes; }
    int error() const { return m_error; }  // errno of the first failure; 0 = none
    // Lets the file go without writing, as in a forked child, which must leave it to its parent, and
    // keeps nothing more.
    void abandon();

private:
    struct Batch {
        std::vector<std::uint8_t> bytes;  // whole records
        std::uint32_t recordBytes = 0;
    };
    static constexpr std::size_t kKinds = 32;

    void giveUp(int error);
    void freeMemory();
    void append(spool::FrameKind kind, const void* record, std::size_t bytes);
    void endBatch(spool::FrameKind kind);
    // What others refer to: strings, then the kinds that define something.
    void endDefinitions();
    void frame(spool::FrameKind kind, std::uint32_t count, std::uint32_t recordBytes, const std::uint8_t* payload,
               std::size_t bytes);

    int m_file = -1;
    int m_error = 0;
    std::uint32_t m_sequence = 0;
    std::string m_path;
    std::array<Batch, kKinds> m_batches;
    std::vector<std::uint8_t> m_strings;  // a Strings payload in the making
    std::uint32_t m_stringsInBatch = 0;
    std::unordered_map<std::string, std::uint32_t> m_ids;  // forgotten when it gets large
    std::size_t m_idBytes = 0;
    std::uint32_t m_nextId = 0;
    std::vector<std::uint8_t> m_out;
    std::size_t m_pendingBytes = 0;
    std::uint64_t m_writtenBytes = 0;
};

}  // namespace overlane
