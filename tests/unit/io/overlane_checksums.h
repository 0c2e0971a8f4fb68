// Checksums of .overlane files that a test has changed by hand.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include "core/io/overlane_checksum.h"

namespace overlane::test
{

// Makes a file of before checksums.
inline constexpr const char* kDropChecksums =
    "DELETE FROM meta WHERE key LIKE 'checksum %'; ALTER TABLE columns DROP COLUMN checksum";

// Makes the sums of tables agree with what they hold now.
inline void sumUp(const std::string& path)
{
    Result<SqliteDatabase> database = SqliteDatabase::openForWriting(path);
    ASSERT_TRUE(database.ok()) << database.error();
    for (const OverlanePart* part :
         {&kOverlaneMeta, &kOverlaneProperties, &kOverlaneStrings, &kOverlaneTracks, &kOverlaneDevices, &kOverlaneStats,
          &kOverlaneChunks, &kOverlaneColumns, &kOverlaneWhole}) {
        const Result<OverlaneChecksum> sum = checksumOf(database.value(), *part);
        ASSERT_TRUE(sum.ok()) << sum.error();
        const std::string sql = "UPDATE meta SET value = " + std::to_string(sum.value().value()) +
                                " WHERE key = 'checksum " + part->name + "'";
        ASSERT_TRUE(database.value().execute(sql.c_str()).ok());
    }
}

}  // namespace overlane::test
