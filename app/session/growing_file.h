// A file that grows while it is shown, by a recording or by a run on this machine's GPU. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace overlane
{

// How often the writer is asked for news.
constexpr auto kPollPeriod = std::chrono::milliseconds(100);
// Larger files are read once, when they are complete.
constexpr std::uintmax_t kMostLiveBytes = 50'000'000;

inline bool isReadLive(const std::string& file)
{
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    return error || bytes < kMostLiveBytes;
}

}  // namespace overlane
