#include "core/spool/recorder_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>

#include "core/spool/record_environment.h"

namespace overlane
{

RecorderLock::RecorderLock(const std::string& folder)
    : m_file(::open((folder + "/" + record_environment::kControlFile).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW))
{
    if (!m_file.valid())
        return;
    m_held = ::flock(m_file.get(), LOCK_EX | LOCK_NB) == 0;
    m_taken = !m_held && errno == EWOULDBLOCK;
}

}  // namespace overlane
