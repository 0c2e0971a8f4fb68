// A recording whose recorder was killed in the middle of a flush: the bytes of the file, of which some pages
// are of the flush that did not end, and of the journal beside it. One flush, of ten events, is whole.
// For tests and fuzz programs.
#pragma once

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io/overlane_writer.h"

namespace overlane::test
{

struct TornRecording {
    std::string whole;  // the file after its last complete flush
    std::string file;
    std::string journal;
};

inline std::string bytesOf(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void setBytes(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Records to `path` in a process that dies when the file grows by more than three pages.
inline void recordUntilKilled(const std::string& path)
{
    Result<OverlaneWriter> writer = OverlaneWriter::create(path);
    if (!writer.ok())
        _exit(1);
    Event event;
    event.track = writer.value().addTrack({}, TrackKind::Thread, "whole");
    event.name = writer.value().intern("work");
    event.durationNs = 50;
    for (int at = 0; at < 10; ++at) {
        event.startNs = std::int64_t{at} * 100;
        writer.value().addEvent(event);
    }
    if (!writer.value().flush().ok())
        _exit(2);
    std::filesystem::copy_file(path, path + ".whole");
    writer.value().renameTrack(event.track, "torn", 0);
    for (int at = 0; at < 200; ++at) {
        event.startNs += 100;
        event.name = writer.value().intern(std::string(4500, static_cast<char>('a' + at % 26)) + std::to_string(at));
        writer.value().addEvent(event);
    }
    const rlim_t limit = std::filesystem::file_size(path) + std::uintmax_t{3} * 16'384;
    const rlimit noCore{0, 0};
    const rlimit shortFile{limit, limit};
    ::setrlimit(RLIMIT_CORE, &noCore);
    ::setrlimit(RLIMIT_FSIZE, &shortFile);
    ::signal(SIGXFSZ, SIG_DFL);
    (void)writer.value().flush();
    _exit(3);
}

// Made at `path`, where nothing is left of it; empty where it could not be made.
inline TornRecording tornRecording(const std::string& path)
{
    const pid_t child = ::fork();
    if (child == 0)
        recordUntilKilled(path);
    int status = 0;
    ::waitpid(child, &status, 0);
    TornRecording torn{bytesOf(path + ".whole"), bytesOf(path), bytesOf(path + "-journal")};
    for (const char* suffix : {"", ".whole", "-journal"})
        std::filesystem::remove(path + suffix);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ;
    return killed && torn.file.size() > torn.whole.size() ? torn : TornRecording();
}

// As SQLite ends the journal of a transaction over several databases; it deletes `name` after playing it back.
inline std::string superJournalRecord(const std::string& name)
{
    const auto number = [](std::uint32_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes += static_cast<char>(value >> shift);
        return bytes;
    };
    std::uint32_t sum = 0;
    for (const char letter : name)
        sum += static_cast<std::uint32_t>(static_cast<signed char>(letter));
    constexpr std::uint32_t kLockPage = 0x40000000 / 16384 + 1;
    return number(kLockPage) + name + number(static_cast<std::uint32_t>(name.size())) + number(sum) +
           "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
}

}  // namespace overlane::test
