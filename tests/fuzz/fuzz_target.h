// What a fuzz target consists of; linked with libFuzzer (clang) or fuzz_replay_main.cpp (g++).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

// One input; must return 0 and neither crash, hang nor leak.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace overlane::fuzz
{

// Valid inputs from which the replay driver mutates.
std::vector<std::string> seeds();

inline std::string fileBytes(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A file that lives as long as the object, for readers that need a path.
class TemporaryFile
{
public:
    explicit TemporaryFile(std::string_view bytes)
    {
        const char* folder = std::getenv("TMPDIR");
        m_path = std::string(folder != nullptr ? folder : "/tmp") + "/overlane_fuzz_XXXXXX";
        const int descriptor = mkstemp(m_path.data());
        if (descriptor < 0)
            std::abort();
        close(descriptor);
        std::ofstream(m_path, std::ios::binary) << bytes;
    }
    ~TemporaryFile()
    {
        for (const char* suffix : {"", "-journal", "-wal", "-shm"})
            unlink((m_path + suffix).c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

}  // namespace overlane::fuzz
