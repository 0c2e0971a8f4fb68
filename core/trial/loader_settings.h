// LoaderSettings: what `overlane try` changes of a program, in PyTorch's words.
//
// Plain data; pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace overlane
{

struct LoaderSettings {
    std::int64_t workers = 0;
    bool pinMemory = false;
    std::int64_t prefetchFactor = 2;  // batches per worker; without workers it says nothing
    bool persistentWorkers = false;   // the same
    bool nonBlocking = false;         // copies of page-locked batches to the GPU do not wait

    friend bool operator==(const LoaderSettings&, const LoaderSettings&) = default;
};

// What of `to` differs, as arguments: "num_workers=8", "pin_memory=True"; without the one that is none of DataLoader's.
std::vector<std::string> changedArguments(const LoaderSettings& from, const LoaderSettings& to);
// The same in one line, non_blocking included; "as it is" where nothing differs.
std::string changeOfSettings(const LoaderSettings& from, const LoaderSettings& to);
// How many of the settings differ.
int countChanges(const LoaderSettings& from, const LoaderSettings& to);

}  // namespace overlane
