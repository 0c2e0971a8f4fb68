#include "core/recorder/recording_files.h"

#include <filesystem>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "core/io/overlane_recovery.h"
#include "core/spool/record_environment.h"
#include "core/spool/recorder_lock.h"
#include "core/spool/spool_format.h"

namespace overlane
{

namespace fs = std::filesystem;

namespace
{

constexpr const char* kJournal = "-journal";  // of SQLite

constexpr const char* kFirst = "first.overlane";  // the file before it takes its name

// Names of one file stay both where one is renamed to the other.
void restore(const std::string& from, const std::string& to)
{
    std::error_code error;
    fs::rename(from, to, error);
    if (!error)
        fs::remove(from, error);
}

// A second name for a file; where the file system knows none, or for a link, it moves.
void nameAlso(const std::string& from, const std::string& to, std::error_code& error)
{
    std::error_code none;
    if (!fs::exists(fs::symlink_status(from, none)))
        return;
    if (!fs::is_symlink(fs::symlink_status(from, none))) {
        fs::create_hard_link(from, to, none);
        if (!none)
            return;
    }
    fs::rename(from, to, error);
}

bool isSpool(const fs::path& file)
{
    return file.extension() == spool::kFileSuffix;
}

bool holdsSpools(const std::string& folder)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (isSpool(entry.path()))
            return true;
    return static_cast<bool>(error);
}

bool isSameFile(const std::string& a, const std::string& b)
{
    std::error_code error;
    return fs::equivalent(a, b, error);
}

}  // namespace

std::string recordingFolder(const std::string& output)
{
    return output + ".parts";
}

std::string replacedFile(const std::string& output)
{
    return output + ".before";
}

void removeRecorded(const std::string& file)
{
    std::error_code error;
    fs::remove(file, error);
    fs::remove(file + kJournal, error);
}

std::string recoverCommand(const std::string& folder)
{
    return fmt::format("\"overlane record --recover {} -o FILE\"", folder);
}

void removeRecording(const std::string& folder)
{
    std::error_code error;
    std::vector<fs::path> own = {fs::path(folder) / record_environment::kControlFile, fs::path(folder) / kFirst,
                                 fs::path(folder) / (std::string(kFirst) + kJournal)};
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (isSpool(entry.path()))
            own.push_back(entry.path());
    for (const fs::path& path : own)
        fs::remove(path, error);
    fs::remove(folder, error);  // stays where something else is in it
}

std::string inUse(const std::string& folder)
{
    return fmt::format("{} is being written: the recording continues. Wait for its end, or choose another file.",
                       folder);
}

StartedFiles::~StartedFiles()
{
    try {
        takeBack();
    } catch (...) {
        // Without memory for a name: the next start says what is there.
    }
}

void StartedFiles::takeBack() const
{
    const std::string before = replacedFile(m_output);
    if (m_hasOutput && !m_keepsReplaced)
        removeRecorded(m_output);
    if (m_keepsReplaced) {
        restore(before, m_output);
        restore(before + kJournal, m_output + kJournal);
    }
    if (!m_folder.empty())
        removeRecording(m_folder);
}

Result<void> StartedFiles::makeFolder(RecordCaller caller)
{
    const std::string folder = recordingFolder(m_output);
    std::error_code error;
    if (RecorderLock(folder).isTaken())
        return Error{inUse(folder)};
    if (fs::exists(folder, error) && !holdsSpools(folder))
        removeRecording(folder);  // of a start that was killed before it recorded anything
    if (fs::exists(folder, error))
        return Error{caller == RecordCaller::Window
                         ? fmt::format("A recording to this file was not finished; what it holds is in {}. Choose "
                                       "another name. In a terminal, {} makes a trace of it.",
                                       folder, recoverCommand(folder))
                         : fmt::format("{} is there already: a recording that was not finished. Keep it with {}, or "
                                       "remove it.",
                                       folder, recoverCommand(folder))};
    if (!fs::create_directory(folder, error))
        return Error{fmt::format("{} cannot be made: {}.", folder, error.message())};
    m_folder = folder;
    return {};
}

Result<void> StartedFiles::keepReplaced()
{
    std::error_code error;
    if (!fs::exists(m_output, error))
        return {};
    const std::string before = replacedFile(m_output);
    // Two names of one file: a start was killed before it replaced anything.
    if (isSameFile(m_output, before)) {
        restore(before, m_output);
        restore(before + kJournal, m_output + kJournal);
    }
    if (fs::exists(before, error))
        return Error{
            fmt::format("{} is there already: it was to be replaced by a recording that was not "
                        "finished. Rename it or remove it, then record again.",
                        before)};
    // A file whose recorder was killed has a journal, which belongs to it and to no other.
    nameAlso(m_output + kJournal, before + kJournal, error);
    if (!error)
        nameAlso(m_output, before, error);
    m_keepsReplaced = true;
    if (error)
        return Error{fmt::format("{} cannot be moved out of the way: {}.", m_output, error.message())};
    return {};
}

Result<OverlaneWriter> StartedFiles::makeOutput()
{
    const auto unwritten = [this](const std::string& reason) {
        return Error{fmt::format("{} cannot be written: {}", m_output, reason)};
    };
    const std::string first = (fs::path(m_folder) / kFirst).string();
    Result<OverlaneWriter> writer = OverlaneWriter::create(first);
    if (!writer.ok())
        return unwritten(writer.error());
    RETURN_IF_ERROR(keepReplaced());
    if (!m_keepsReplaced)
        removeJournal(m_output);
    std::error_code error;
    fs::rename(first, m_output, error);
    if (error)
        return unwritten(error.message() + ".");
    m_hasOutput = true;
    if (m_keepsReplaced)
        fs::remove(m_output + kJournal, error);
    if (Result<void> followed = writer.value().followTo(m_output); !followed.ok())
        return unwritten(followed.error());
    return writer;
}

std::string StartedFiles::keep()
{
    m_hasOutput = false;
    m_folder.clear();
    return std::exchange(m_keepsReplaced, false) ? replacedFile(m_output) : std::string();
}

}  // namespace overlane
