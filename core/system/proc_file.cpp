#include "core/system/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace overlane
{
namespace
{

constexpr std::size_t kLongestText = std::size_t{64} * 1024;

}  // namespace

ProcFile::ProcFile(const std::string& path) : m_file(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

ProcFile::~ProcFile()
{
    if (m_file >= 0)
        close(m_file);
}

std::string_view ProcFile::read()
{
    if (m_file < 0)
        return {};
    m_text.resize(kLongestText);
    std::size_t filled = 0;
    while (filled < m_text.size()) {
        const ssize_t got = pread(m_file, m_text.data() + filled, m_text.size() - filled, static_cast<off_t>(filled));
        if (got <= 0)
            break;
        filled += static_cast<std::size_t>(got);
    }
    return std::string_view(m_text).substr(0, filled);
}

}  // namespace overlane
