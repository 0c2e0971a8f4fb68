// OverlaneIntegrity: what of an .overlane file is damaged, found by its checksums or by reading it.
//
// Takes the sums that the file carries and those of what was read; damage becomes import notes that
// name the part, so that the rest of the file can be shown. Files of before checksums carry none.
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/overlane_checksum.h"
#include "core/trace/import_stats.h"

namespace overlane
{

// "the file is damaged: it carries no file version."
inline Error damaged(const std::string& what)
{
    return Error{"the file is damaged: " + what};
}

class OverlaneIntegrity
{
public:
    // A row of the table `meta`.
    void know(std::string_view key, std::int64_t value);
    void setColumnsHaveSums(bool have) { m_columnsHaveSums = have; }
    bool columnsHaveSums() const { return m_columnsHaveSums; }

    // Holds what was read of a part against the sum in the file.
    void check(const OverlanePart& part, const OverlaneChecksum& read);
    // A part that cannot be read to its end.
    void partLost(const OverlanePart& part, const std::string& why);
    // `rows` events or samples of a chunk are left out.
    void chunkLost(std::int64_t chunk, std::int64_t rows, const std::string& why);
    // A column of a chunk whose events are shown without it.
    void columnLost(const char* column, std::int64_t rows, const std::string& why);

    // Why the first rows were left out; empty where none were.
    const std::string& firstLoss() const { return m_firstLoss; }
    void addNotes(ImportStats& stats) const;

private:
    std::map<std::string, std::int64_t, std::less<>> m_sums;
    bool m_columnsHaveSums = false;
    std::string m_firstLoss;
    ImportStats m_damage;
};

}  // namespace overlane
