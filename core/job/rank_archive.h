// unpackRanks(): the traces and digests of an archive (.tar, plain or packed, and .zip), as files.
//
// Any thread. An archive comes from a stranger: members land in the given folder whatever their names are, links and
// other things are left out, and what expands more than traces do is given up. Needs libarchive at run time
// (archive_library.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace overlane
{

// By its name.
bool isRankArchive(std::string_view path);

struct UnpackedRanks {
    struct Member {
        std::string path;  // where it lies now
        std::string name;  // in the archive
    };
    std::vector<Member> members;
    std::string damage;  // a sentence where the archive ends too early; the members before are there
};

// `wanted` says which members are unpacked, by their file's name. The Error is a sentence without the archive's name.
Result<UnpackedRanks> unpackRanks(const std::string& archive, const std::string& folder,
                                  bool (*wanted)(std::string_view fileName), const Progress& progress);

}  // namespace overlane
