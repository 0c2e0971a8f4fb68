// A fleet made from a seed: its file as `overlane fleet scan` writes it, with what was planted in it.
//
// Group "resnet": version "b" takes 15 % longer a step than "a", "c" as long as "b". Group "lm": its versions are
// alike. Every fourth run loses a third of its time to exposed copies, every sixth a fifth to batches; every fiftieth
// could not be read; every tenth has no copies.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <random>
#include <sqlite3.h>
#include <stdexcept>
#include <string>

namespace overlane::test
{

constexpr const char* kFleetSchema =
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, url TEXT UNIQUE NOT NULL, name TEXT NOT NULL, grouping TEXT, version "
    "TEXT, recorded INTEGER, gpu TEXT, host TEXT, rank INTEGER, steps INTEGER, step_ns INTEGER, span_ns INTEGER, gpus "
    "INTEGER, copies_ns INTEGER, exposed_ns INTEGER, overlap REAL, idle_ns INTEGER, communication_ns INTEGER, "
    "exposed_communication_ns INTEGER, verdict TEXT, verdict_id TEXT, easiest TEXT, error TEXT);"
    "CREATE TABLE causes(run INTEGER REFERENCES runs(id), cause TEXT, label TEXT, lost_ns INTEGER, "
    "PRIMARY KEY(run, cause));"
    "CREATE TABLE findings(run INTEGER REFERENCES runs(id), rule TEXT, severity TEXT, title TEXT, lost_ns INTEGER);"
    "PRAGMA user_version = 1;";

inline void executeSql(const std::string& path, const std::string& sql)
{
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK)
        throw std::runtime_error("cannot open " + path);
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
    const std::string message = sqlite3_errmsg(database);
    sqlite3_close(database);
    if (code != SQLITE_OK)
        throw std::runtime_error(path + ": " + message);
}

inline bool hasExposedCopies(int run)
{
    return run % 4 == 0;
}
inline bool waitsForBatches(int run)
{
    return run % 6 == 1;
}
inline bool isBroken(int run)
{
    return run % 50 == 49;
}

// Traces named "/runs/GROUP/VERSION/run-NUMBER.overlane", a minute apart.
inline void writeFleet(const std::string& path, std::uint32_t seed, int runs)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(1, 0.03);
    std::string sql = std::string(kFleetSchema) + "BEGIN;";
    for (int run = 0; run < runs; ++run) {
        const bool isResnet = run % 2 == 0;
        const int version = static_cast<int>(std::int64_t{3} * run / runs);
        const std::string group = isResnet ? "resnet" : "lm";
        const std::string name = fmt::format("run-{}", run);
        const char letter = static_cast<char>('a' + version);
        const std::string url = fmt::format("/runs/{}/{}/{}.overlane", group, letter, name);
        if (isBroken(run)) {
            sql += fmt::format(
                "INSERT INTO runs(id, url, name, grouping, error) VALUES({}, '{}', '{}', '{}', "
                "'{}: the file is empty.');",
                run + 1, url, name, group, url);
            continue;
        }
        const double slower = isResnet && version > 0 ? 1.15 : 1;
        const auto step = static_cast<std::int64_t>(20e6 * slower * noise(random));
        const std::int64_t span = 100 * step;
        const std::int64_t exposed = hasExposedCopies(run) ? span / 3 : span / 200;
        const bool copies = run % 10 != 9;
        const std::int64_t gpus = isResnet ? 1 : 8;
        sql += fmt::format(
            "INSERT INTO runs VALUES({}, '{}', '{}', '{}', '{}', {}, 'H100', 'node{}', NULL, 100, {}, {}, {}, {}, {}, "
            "{}, {}, 0, 0, '{}', 'copies', '{}', NULL);",
            run + 1, url, name, group, letter, 1'790'000'000 + 60 * run, run % 7, step, span, gpus,
            copies ? 2 * gpus * exposed : 0, copies ? gpus * exposed : 0,
            copies ? (hasExposedCopies(run) ? "0.15" : "0.93") : "NULL", span / 10,
            hasExposedCopies(run) ? "A third of each step waits for copies." : "The copies hide.",
            hasExposedCopies(run) ? "Pin the batches: 1.4 x faster." : "");
        sql += fmt::format("INSERT INTO causes VALUES({}, 'copies', 'copies', {});", run + 1, exposed);
        if (waitsForBatches(run))
            sql += fmt::format("INSERT INTO causes VALUES({}, 'batches', 'batches', {});", run + 1, span / 5);
    }
    executeSql(path, sql + "COMMIT;");
}

}  // namespace overlane::test
