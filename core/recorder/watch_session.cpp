#include "core/recorder/watch_session.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/base/units.h"
#include "core/recorder/recorded_program.h"
#include "core/spool/record_environment.h"
#include "core/spool/record_status.h"
#include "core/spool/spool_clock.h"

namespace overlane
{
namespace
{

constexpr std::string_view kPurpose = "watch";
// Processes see the end of a window within a tenth of a second, and write its records then.
constexpr std::int64_t kSoonestNs = 400'000'000;
constexpr std::int64_t kLatestNs = 3'000'000'000;
constexpr double kFirstIterationSeconds = 120;

std::int64_t nsOf(double seconds)
{
    return std::llround(seconds * 1e9);
}

// Left by a killed watch: its folder, whose lock is free.
void removeLeftFolders()
{
    std::error_code error;
    const std::string prefix = fmt::format("overlane-{}-", kPurpose);
    for (std::filesystem::directory_iterator entry(std::filesystem::temp_directory_path(error), error), end;
         !error && entry != end; entry.increment(error)) {
        struct stat info = {};
        const std::string path = entry->path().string();
        if (!entry->path().filename().string().starts_with(prefix) || ::lstat(path.c_str(), &info) != 0 ||
            !S_ISDIR(info.st_mode) || info.st_uid != ::geteuid())
            continue;
        std::error_code failure;
        if (RecorderLock(path).held())
            std::filesystem::remove_all(path, failure);
    }
}

}  // namespace

WatchSession::WatchSession(WatchOptions options, TemporaryFolder folder, RecordControl control, RecorderLock lock,
                           ChildProcess program)
    : m_options(std::move(options)),
      m_folder(std::move(folder)),
      m_control(std::move(control)),
      m_lock(std::move(lock)),
      m_program(program),
      m_startNs(monotonicNs())
{
}

WatchSession::~WatchSession() = default;

Result<std::unique_ptr<WatchSession>> WatchSession::start(const WatchOptions& options)
{
    ASSIGN_OR_RETURN(const std::string library, recordingLibrary(options.library));
    ProgramStart program = options.program;
    RETURN_IF_ERROR(addPythonHook(program, {.folder = options.pythonHook, .looksAtLoader = true}));
    removeLeftFolders();
    ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::make(kPurpose));
    RecordControl control = RecordControl::create(folder.path().c_str());
    std::error_code error;
    if (!control.valid() || !std::filesystem::create_directory(windowFolder(folder.path(), 0), error))
        return Error{fmt::format("{} cannot be written: {}. Make room, or set TMPDIR to a folder with some.",
                                 folder.path(), control.valid() ? error.message() : std::strerror(errno))};
    control.divideIntoWindows();
    if (options.iterations > 0)
        control.boundIterations(static_cast<std::uint32_t>(std::max(options.afterIterations, 0)),
                                static_cast<std::uint32_t>(options.iterations));
    RecorderLock lock(folder.path());
    addRecordingVariables(program, library, folder.path(), options.kinds);
    ASSIGN_OR_RETURN(ChildProcess child, ChildProcess::start(program));
    return std::unique_ptr<WatchSession>(
        new WatchSession(options, std::move(folder), std::move(control), std::move(lock), child));
}

bool WatchSession::isDue(std::int64_t nowNs) const
{
    if (m_stopped || m_holds || m_window)
        return false;
    if (m_begunNs != 0)
        return nowNs - m_begunNs >= nsOf(m_options.everySeconds);
    if (m_options.iterations > 0)
        return m_control.page()->iterationsBegun > m_control.page()->iterationsAfter;
    return nowNs - m_startNs >= nsOf(std::min(m_options.delaySeconds, m_options.everySeconds));
}

// Folders for temporary files lose what was not touched for days; without the page a process would record at once.
void WatchSession::keepFolder() const
{
    const auto now = std::filesystem::file_time_type::clock::now();
    std::error_code error;
    std::filesystem::last_write_time(m_folder.file(record_environment::kControlFile), now, error);
    std::filesystem::last_write_time(windowFolder(m_folder.path(), 0), now, error);
}

void WatchSession::begin(std::int64_t nowNs)
{
    m_begunNs = nowNs;
    keepFolder();
    std::error_code error;
    const std::string folder = windowFolder(m_folder.path(), m_control.window() + 1);
    std::filesystem::create_directory(folder, error);
    if (error) {
        m_warning = fmt::format("No window was recorded: {} cannot be made: {}.", folder, error.message());
        return;
    }
    const bool counts = m_options.iterations > 0;
    const double longest = counts ? m_options.longestSeconds : m_options.durationSeconds;
    m_begunUnixNs = unixNs();
    m_control.beginWindow(static_cast<std::uint32_t>(m_options.iterations), nowNs + nsOf(longest), m_options.maxBytes);
    m_state = State::Recording;
}

bool WatchSession::isWritten(std::int64_t nowNs) const
{
    if (nowNs - m_endedNs < kSoonestNs)
        return false;
    return m_control.page()->windowLeft >= m_control.page()->processes || nowNs - m_endedNs >= kLatestNs;
}

void WatchSession::finishWindow(bool programEnded)
{
    const RecordControl::Page& page = *m_control.page();
    RecordedWindow window;
    window.number = m_control.window();
    window.folder = windowFolder(m_folder.path(), window.number);
    window.startUnixNs = m_begunUnixNs;
    window.endUnixNs = m_begunUnixNs + (m_endedNs - m_begunNs);
    window.program = m_options.program;
    window.kinds = m_options.kinds;
    const auto begun = static_cast<int>(page.iterationsBegun - std::min(page.iterationsFrom, page.iterationsBegun));
    window.iterations = std::min(std::max(begun, 0), m_options.iterations);
    const bool few = window.iterations < m_options.iterations;
    if (page.stopReason == static_cast<std::uint32_t>(RecordStatus::SizeLimit))
        window.cut = fmt::format("its size reached {}", formatBytes(static_cast<std::int64_t>(m_options.maxBytes)));
    else if (programEnded)
        window.cut = "the program ended";
    else if (few)
        window.cut = fmt::format("it lasted {:.0f} s", m_options.longestSeconds);
    if (m_options.iterations > 0 && few)
        window.cut = fmt::format("{} of {} iterations: {}", window.iterations, m_options.iterations, window.cut);
    m_window = std::move(window);
    m_state = State::Resting;
}

bool WatchSession::poll()
{
    const std::int64_t nowNs = monotonicNs();
    const bool ended = m_program.poll().has_value();
    m_control.followIterations();
    if (m_state == State::Resting && !ended && isDue(nowNs))
        begin(nowNs);
    if (m_state == State::Recording && ended)
        m_control.endWindow();
    if (m_state == State::Recording && m_control.state() != RecordState::Record) {
        m_endedNs = nowNs;
        m_state = State::Writing;
    }
    if (m_state == State::Writing && (ended || isWritten(nowNs)))
        finishWindow(ended);
    if (!m_warnedOfNone && m_options.iterations > 0 && m_control.page()->iterationsBegun == 0 &&
        nowNs - m_startNs >= nsOf(kFirstIterationSeconds)) {
        m_warnedOfNone = true;
        m_warning = noIterationText("Watch by --duration");
    }
    return !ended;
}

std::optional<RecordedWindow> WatchSession::takeWindow()
{
    return std::exchange(m_window, std::nullopt);
}

void WatchSession::stop()
{
    m_stopped = true;
    m_control.setState(RecordState::Stop);
}

std::string WatchSession::takeWarning()
{
    return std::exchange(m_warning, {});
}

}  // namespace overlane
