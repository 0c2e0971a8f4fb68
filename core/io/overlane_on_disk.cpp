#include "core/io/overlane_on_disk.h"

#include <vector>

#include "core/io/overlane_checksum.h"
#include "core/io/sqlite_database.h"

namespace overlane
{
namespace
{

std::string property(const TraceMetadata& metadata, const char* name)
{
    const auto found = metadata.properties.find(name);
    return found == metadata.properties.end() ? std::string() : found->second;
}

// Empty where the file cannot be read or is of before checksums.
std::vector<std::int64_t> contentSums(const std::string& path)
{
    std::vector<std::int64_t> sums;
    Result<SqliteDatabase> database = SqliteDatabase::openStranger(path);
    if (!database.ok())
        return {};
    for (const OverlanePart* part : {&kOverlaneStrings, &kOverlaneTracks, &kOverlaneChunks, &kOverlaneColumns}) {
        const std::string key = std::string(kOverlaneChecksumKey) + part->name;
        const Result<void> read =
            forEachRow(database.value(), "SELECT value FROM meta WHERE key = '" + key + "'", [&](SqliteStatement& row) {
                sums.push_back(row.integer(0));
                return Result<void>();
            });
        if (!read.ok())
            return {};
    }
    return sums.size() == 4 ? sums : std::vector<std::int64_t>();
}

}  // namespace

MadeByHand madeByHand(const TraceMetadata& metadata)
{
    return {metadata.notes, property(metadata, kBookmarksProperty), property(metadata, kFoldingProperty)};
}

void putMadeByHand(const MadeByHand& hand, TraceMetadata& metadata)
{
    metadata.notes = hand.notes;
    for (const auto& [name, text] : {std::pair(kBookmarksProperty, hand.bookmarks), {kFoldingProperty, hand.folding}}) {
        if (text.empty())
            metadata.properties.erase(name);
        else
            metadata.properties.insert_or_assign(name, text);
    }
}

Result<OverlaneOnDisk> readOnDisk(const std::string& path)
{
    const std::optional<FileStamp> stamp = stampOf(path);
    Result<SqliteDatabase> database = SqliteDatabase::openStranger(path);
    if (!stamp || !database.ok())
        return Error{"what another program has saved there since cannot be read. Save under another name."};
    TraceMetadata metadata;
    Result<void> read = forEachRow(database.value(), kOverlaneProperties.rows, [&](SqliteStatement& row) {
        metadata.properties.insert_or_assign(std::string(row.text(0)), std::string(row.text(1)));
        return Result<void>();
    });
    if (read.ok())
        read = forEachRow(database.value(), "SELECT value FROM meta WHERE key = 'notes'", [&](SqliteStatement& row) {
            metadata.notes = row.text(0);
            return Result<void>();
        });
    if (!read.ok())
        return read.failure();
    return OverlaneOnDisk{path, *stamp, madeByHand(metadata)};
}

bool holdSameTrace(const std::string& a, const std::string& b)
{
    const std::vector<std::int64_t> sums = contentSums(a);
    return !sums.empty() && sums == contentSums(b);
}

}  // namespace overlane
