// ProcFile: a file of /proc or /sys that is read again and again, without opening it each time.
//
// Owns the descriptor and the text of the last read. One thread. A file that is not there reads as
// empty.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace overlane
{

class ProcFile
{
public:
    explicit ProcFile(const std::string& path);
    ProcFile(ProcFile&& other) noexcept : m_file(std::exchange(other.m_file, -1)), m_text(std::move(other.m_text)) {}
    ProcFile& operator=(ProcFile&&) = delete;
    ~ProcFile();

    bool exists() const { return m_file >= 0; }
    // As it is now; valid until the next read.
    std::string_view read();

private:
    int m_file = -1;
    std::string m_text;
};

}  // namespace overlane
