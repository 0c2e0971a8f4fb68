// Any bytes as an Nsight Systems export.
#include <sqlite3.h>

#include "core/io/nsys_format.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const overlane::fuzz::TemporaryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
    overlane::Progress progress;
    const auto trace = overlane::nsysFormat().read(file.path(), progress);
    if (!trace.ok() && trace.error().empty())
        std::abort();
    return 0;
}

// A real export, thinned out so that an iteration takes about a millisecond.
std::vector<std::string> overlane::fuzz::seeds()
{
    const TemporaryFile file(
        fileBytes(std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/nsys/nsys_h100_2gpu.sqlite"));
    sqlite3* database = nullptr;
    const bool opened = sqlite3_open(file.path().c_str(), &database) == SQLITE_OK;
    bool thinned = false;
    if (opened) {
        thinned = true;
        for (const char* statement :
             {"PRAGMA journal_mode = OFF", "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid % 100 != 0",
              "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 100 != 0",
              "DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid % 50 != 0", "VACUUM"})
            thinned = thinned && sqlite3_exec(database, statement, nullptr, nullptr, nullptr) == SQLITE_OK;
    }
    sqlite3_close(database);
    if (!thinned)
        return {""};
    return {fileBytes(file.path())};
}
