// ArchiveLibrary: what is used here of libarchive, which is loaded when the first archive is opened, so that a build
// neither needs it nor brings its many libraries along.
//
// Declarations by libarchive's manual pages archive_read(3), archive_read_open(3), archive_read_data(3) and
// archive_entry_stat(3); its interface 13 has not changed since version 3.0 (2011). Any thread; an archive is of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

#include "core/base/result.h"

namespace overlane
{

struct ArchiveLibrary {
    struct Reader;  // its struct archive
    struct Entry;   // its struct archive_entry

    static constexpr int kEnd = 1;        // ARCHIVE_EOF
    static constexpr int kOk = 0;         // ARCHIVE_OK
    static constexpr int kWarning = -20;  // ARCHIVE_WARN; what is below has failed

    Reader* (*make)() = nullptr;
    int (*supportFilters)(Reader*) = nullptr;
    int (*supportTar)(Reader*) = nullptr;
    int (*supportZip)(Reader*) = nullptr;
    int (*open)(Reader*, const char* path, std::size_t blockBytes) = nullptr;
    int (*next)(Reader*, Entry**) = nullptr;
    int (*data)(Reader*, const void** block, std::size_t* bytes, std::int64_t* at) = nullptr;
    int (*destroy)(Reader*) = nullptr;
    const char* (*nameOf)(Entry*) = nullptr;
    mode_t (*typeOf)(Entry*) = nullptr;

    // Loaded once, and stays until the process ends; the Error says what to install.
    static const Result<ArchiveLibrary>& get();
};

}  // namespace overlane
