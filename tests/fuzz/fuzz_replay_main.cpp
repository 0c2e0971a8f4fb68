// Runs a fuzz target without libFuzzer: every seed as it is, then seeded mutations of the seeds.
//
//   TARGET [--iterations N] [--seed N] [FILE...]     files are replayed, not mutated
//   TARGET --write FOLDER                            writes the seeds as files, for libFuzzer
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "tests/fuzz/fuzz_target.h"

namespace
{

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit)
{
    return limit == 0 ? 0 : static_cast<std::size_t>(random() % limit);
}

void mutate(std::string& bytes, const std::vector<std::string>& seeds, Random& random)
{
    static const std::vector<std::string> kTokens{"NaN",   "-Infinity", "99999999999999999999",
                                                  "-1",    "1e400",     "\"",
                                                  "\\",    "{",         "}",
                                                  "[",     "]",         ",",
                                                  ":",     "null",      "0",
                                                  "\\u12", "\x01",      "true",
                                                  "}, {",  "\xFF\xFE",  "1e-400",
                                                  "\n",    "-0.0005"};
    const std::size_t changes = 1 + below(random, 6);
    for (std::size_t change = 0; change < changes && !bytes.empty(); ++change) {
        const std::size_t at = below(random, bytes.size());
        const std::size_t length = 1 + below(random, std::min<std::size_t>(bytes.size() - at, 64));
        switch (below(random, 7)) {
            case 0:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8)));
                break;
            case 1:
                bytes[at] = static_cast<char>(random());
                break;
            case 2:
                bytes.erase(at, length);
                break;
            case 3:
                bytes.insert(at, bytes.substr(below(random, bytes.size()), length));
                break;
            case 4:
                bytes.insert(at, kTokens[below(random, kTokens.size())]);
                break;
            case 5:
                if (below(random, 8) == 0)
                    bytes.resize(at);
                break;
            default:
                const std::string& other = seeds[below(random, seeds.size())];
                const std::size_t from = below(random, other.size());
                bytes.replace(at, std::min(length, bytes.size() - at), other, from, length);
                break;
        }
    }
}

void runOne(const std::string& bytes)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

bool writeSeeds(const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    std::size_t number = 0;
    bool written = true;
    for (const std::string& bytes : overlane::fuzz::seeds()) {
        std::ofstream file(folder / ("seed" + std::to_string(number++)), std::ios::binary);
        written = written && static_cast<bool>(file << bytes << std::flush);
    }
    return written;
}

}  // namespace

int main(int argc, char** argv)
{
    unsigned long iterations = 1000;
    unsigned long seed = 1;
    bool replayed = false;
    for (int at = 1; at < argc; ++at) {
        if (std::strcmp(argv[at], "--iterations") == 0 && at + 1 < argc) {
            iterations = std::strtoul(argv[++at], nullptr, 10);
        } else if (std::strcmp(argv[at], "--seed") == 0 && at + 1 < argc) {
            seed = std::strtoul(argv[++at], nullptr, 10);
        } else if (std::strcmp(argv[at], "--write") == 0 && at + 1 < argc) {
            return writeSeeds(argv[at + 1]) ? 0 : 1;
        } else {
            runOne(overlane::fuzz::fileBytes(argv[at]));
            replayed = true;
        }
    }
    if (replayed)
        return 0;
    const std::vector<std::string> seeds = overlane::fuzz::seeds();
    for (const std::string& bytes : seeds) {
        if (bytes.empty()) {
            std::fprintf(stderr, "A seed is empty: the fuzzer would test nothing.\n");
            return 1;
        }
        runOne(bytes);
    }
    for (unsigned long iteration = 0; iteration < iterations; ++iteration) {
        // Each iteration has its own generator, so that one of them can be repeated alone.
        Random random(seed * 1'000'003 + iteration);
        std::string bytes = seeds[below(random, seeds.size())];
        mutate(bytes, seeds, random);
        runOne(bytes);
    }
    std::printf("%lu seeds and %lu mutations, seed %lu\n", static_cast<unsigned long>(seeds.size()), iterations, seed);
    return 0;
}
