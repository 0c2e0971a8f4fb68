#include "core/base/atomic_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>

#include "core/base/read_only.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

// Short, so that every name that a file may have can be written.
constexpr std::string_view kPrefix = ".overlane-";
constexpr std::string_view kSuffix = ".tmp";
constexpr std::size_t kRandomLetters = 12;

std::string reason(int code)
{
    return std::generic_category().message(code) + ".";
}

std::string randomName()
{
    constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuv";
    std::random_device random;
    std::string name(kPrefix);
    for (std::size_t letter = 0; letter < kRandomLetters; ++letter)
        name += kLetters[random() % kLetters.size()];
    return name.append(kSuffix);
}

bool isTemporary(std::string_view name)
{
    return name.size() == kPrefix.size() + kRandomLetters + kSuffix.size() && name.starts_with(kPrefix) &&
           name.ends_with(kSuffix);
}

// The lock goes with its process, however that ends.
bool lock(const Descriptor& file)
{
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

void removeAbandoned(const fs::path& folder)
{
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        if (!isTemporary(entry->path().filename().string()))
            continue;
        const Descriptor file(::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (file.valid() && lock(file))
            ::unlink(entry->path().c_str());
    }
}

Result<void> syncFolder(const fs::path& folder)
{
    const Descriptor file(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
    if (!file.valid() || ::fsync(file.get()) != 0)
        return Error{reason(errno)};
    return {};
}

}  // namespace

AtomicFile::AtomicFile(std::string target, std::string temporary, Descriptor file)
    : m_target(std::move(target)), m_temporary(std::move(temporary)), m_file(std::move(file))
{
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_target(std::move(other.m_target)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_file(std::move(other.m_file))
{
}

AtomicFile::~AtomicFile()
{
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Result<AtomicFile> AtomicFile::beside(const std::string& path)
{
    std::error_code failure;
    const fs::path target = fs::weakly_canonical(fs::absolute(path, failure), failure);
    if (path.empty() || failure)
        return Error{"the file name cannot be resolved (" + (failure ? failure.message() : "it is empty") + ")."};
    const fs::file_status status = fs::status(target, failure);
    if (fs::exists(status) && !fs::is_regular_file(status))
        return Error{"only a file can be replaced, and this is none."};
    RETURN_IF_ERROR(mayReplace(target.string()));
    const fs::path folder = target.parent_path();
    removeAbandoned(folder);
    constexpr int kAttempts = 100;
    int failed = EEXIST;
    for (int attempt = 0; attempt < kAttempts && failed == EEXIST; ++attempt) {
        const std::string temporary = (folder / randomName()).string();
        Descriptor file(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (!file.valid()) {
            failed = errno;
            continue;
        }
        AtomicFile made(target.string(), temporary, std::move(file));
        if (!made.isOurs())
            continue;  // tried again under another name
        if (fs::exists(status))
            ::fchmod(made.descriptor(), static_cast<mode_t>(status.permissions()));
        return made;
    }
    return Error{"no file can be made in " + folder.string() + ": " + reason(failed)};
}

// Before the lock another program may have taken the file for abandoned. Without locks none does.
bool AtomicFile::isOurs() const
{
    struct stat found {
    };
    const bool locked = lock(m_file) || errno == EOPNOTSUPP || errno == ENOLCK;
    return locked && ::fstat(m_file.get(), &found) == 0 && found.st_nlink > 0;
}

Result<void> AtomicFile::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return Error{reason(errno)};
        bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return {};
}

Result<void> AtomicFile::sync()
{
    if (::fsync(m_file.get()) != 0)
        return Error{"the file cannot be brought to disk: " + reason(errno)};
    return {};
}

Result<void> AtomicFile::commit()
{
    if (Result<void> synced = sync(); !synced.ok())
        return synced;
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        return Error{"the new file cannot take its name: " + reason(errno)};
    m_temporary.clear();
    // The folder's entry; where folders cannot be synchronized the file itself still is.
    (void)syncFolder(fs::path(m_target).parent_path());
    return {};
}

Result<void> writeWhole(const std::string& path, std::string_view bytes)
{
    ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::beside(path));
    if (Result<void> written = file.write(bytes); !written.ok())
        return written;
    return file.commit();
}

}  // namespace overlane
