// Any bytes as a recording that was cut off and the journal beside it. An input is a byte that says whether
// the journal's checksums are mended, so that what is behind them is reached as well, four bytes of length,
// the file of that length, and the journal. However they look, nothing but a copy may change.
#include <algorithm>
#include <cstring>
#include <filesystem>

#include "core/io/overlane_format.h"
#include "core/io/sqlite_header.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/torn_recording.h"

namespace
{

using namespace overlane;

constexpr std::size_t kHead = 5;
constexpr std::string_view kPrecious = "precious";

// What the journals of some seeds ask SQLite to delete. Its name is in the seeds, so several processes that
// fuzz at once share it, and each removes it only at its end.
struct Victim {
    Victim()
    {
        const char* folder = std::getenv("TMPDIR");
        path = std::string(folder != nullptr ? folder : "/tmp") + "/overlane_fuzz_victim";
    }
    Victim(const Victim&) = delete;
    Victim& operator=(const Victim&) = delete;
    ~Victim() { std::filesystem::remove(path); }
    std::string path;
};

const std::string& victim()
{
    static const Victim one;
    return one.path;
}

void placeVictim()
{
    if (fuzz::fileBytes(victim()) != kPrecious)
        std::ofstream(victim(), std::ios::binary) << kPrecious;
}

std::string number(std::uint32_t value)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift);
    return bytes;
}

void mendChecksums(std::string& journal)
{
    constexpr std::size_t kHeader = 28;
    if (journal.size() < kHeader)
        return;
    const std::size_t sector = sqliteNumber(journal, 20);
    const std::size_t page = sqliteNumber(journal, 24);
    if (page < 512 || page > 65'536)
        return;
    for (std::size_t at = sector; at + page + 8 <= journal.size(); at += page + 8) {
        std::uint32_t sum = sqliteNumber(journal, 12);
        for (std::size_t byte = page - 200; byte > 0 && byte < page; byte -= 200)
            sum += static_cast<unsigned char>(journal[at + 4 + byte]);
        journal.replace(at + 4 + page, 4, number(sum));
    }
}

std::string input(bool mended, const std::string& file, const std::string& journal)
{
    return std::string(1, mended ? '\1' : '\0') + number(static_cast<std::uint32_t>(file.size())) + file + journal;
}

void mustBe(bool condition)
{
    if (!condition)
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < kHead)
        return 0;
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t length = std::min<std::size_t>(sqliteNumber(bytes, 1), size - kHead);
    std::string journal = bytes.substr(kHead + length);
    if (bytes[0] % 2 != 0)
        mendChecksums(journal);
    const fuzz::TemporaryFile file(std::string_view(bytes).substr(kHead, length));
    const std::string journalPath = file.path() + "-journal";
    std::ofstream(journalPath, std::ios::binary) << journal;
    placeVictim();

    Progress progress;
    const Result<Trace> trace = overlaneFormat().read(file.path(), progress);
    mustBe(trace.ok() || !trace.error().empty());
    mustBe(fuzz::fileBytes(file.path()) == bytes.substr(kHead, length));
    mustBe(fuzz::fileBytes(journalPath) == journal);
    mustBe(fuzz::fileBytes(victim()) == kPrecious);
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    const TemporaryFile place("");
    const test::TornRecording torn = test::tornRecording(place.path());
    if (torn.journal.empty())
        return {""};
    const std::string attack = torn.journal + test::superJournalRecord(victim());
    std::vector<std::string> inputs;
    for (const bool mended : {false, true}) {
        inputs.push_back(input(mended, torn.file, torn.journal));
        inputs.push_back(input(mended, torn.whole, torn.journal));
        inputs.push_back(input(mended, torn.file, attack));
    }
    return inputs;
}
