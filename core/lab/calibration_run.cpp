#include "core/lab/calibration_run.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <sstream>
#include <thread>
#include <unistd.h>

#include "core/base/progress.h"
#include "core/engine/user_profiles.h"
#include "core/host/gpu_support.h"
#include "core/record/spool_clock.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kPatienceNs = 3'000'000'000;
constexpr std::size_t kMostLastWords = 600;
constexpr const char* kProfile = "/profile.json";
constexpr const char* kOutput = "/output.txt";
constexpr std::string_view kComplaint = "overlane: ";

// The program's own sentence, without its name, or the whole.
std::string complaintIn(const std::string& words)
{
    const std::size_t at = words.rfind(kComplaint);
    std::string sentence = at == std::string::npos ? words : words.substr(at + kComplaint.size());
    while (!sentence.empty() && (sentence.back() == '\n' || sentence.back() == ' '))
        sentence.pop_back();
    return sentence;
}

std::string textOf(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

CalibrationRun::CalibrationRun(std::string folder, ChildProcess process)
    : m_folder(std::move(folder)), m_process(process), m_output(m_folder + kOutput)
{
}

CalibrationRun::~CalibrationRun()
{
    if (!m_end) {
        m_process.signal(SIGKILL);
        m_process.wait();
    }
    std::error_code error;
    fs::remove_all(m_folder, error);
}

Result<std::unique_ptr<CalibrationRun>> CalibrationRun::start(const CalibrationRunOptions& options)
{
    const std::string program = options.program.empty() ? companionPath("overlane").string() : options.program;
    if (program.empty())
        return Error{"The command-line program overlane, which calibrates, is not beside this one."};
    std::error_code failure;
    std::string folder = (fs::temp_directory_path(failure) / "overlane-calibrate-XXXXXX").string();
    if (failure || mkdtemp(folder.data()) == nullptr)
        return Error{"No temporary folder can be made for the calibration: check TMPDIR and the room in it."};
    const int output = open((folder + kOutput).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    ProgramStart start;
    start.command = {program, "calibrate",      "--stream", "--device", std::to_string(options.device),
                     "-o",    folder + kProfile};
    if (options.quick)
        start.command.emplace_back("--quick");
    start.outputFile = output;
    auto process = ChildProcess::start(start);
    if (output >= 0)
        close(output);
    if (!process.ok()) {
        fs::remove_all(folder, failure);
        return Error{process.error()};
    }
    return std::unique_ptr<CalibrationRun>(new CalibrationRun(folder, std::move(process).value()));
}

bool CalibrationRun::poll(CalibrationNews& news)
{
    if (!m_end)
        m_end = m_process.poll();
    if (m_cancelledNs > 0 && !m_end && monotonicNs() - m_cancelledNs > kPatienceNs)
        m_process.signal(SIGKILL);
    m_output.clear();  // the file may have grown since its end was met
    const std::string more(std::istreambuf_iterator<char>(m_output), {});
    m_text += more;
    m_lastWords += more;
    if (m_lastWords.size() > kMostLastWords)
        m_lastWords.erase(0, m_lastWords.size() - kMostLastWords);
    takeNews(m_text, news);
    return !m_end;
}

void CalibrationRun::cancel()
{
    if (m_cancelledNs > 0)
        return;
    m_cancelledNs = monotonicNs();
    m_process.signal(SIGINT);
}

Result<CalibratedProfile> CalibrationRun::finish()
{
    if (m_cancelledNs > 0)
        return Error{Progress::kCancelled};
    const bool failed = !m_end || m_end->signal != 0 || m_end->exitCode != 0;
    if (failed) {
        const std::string words = complaintIn(m_lastWords);
        return Error{words.empty() ? "The calibration was ended before it was done." : words};
    }
    const std::string text = textOf(m_folder + kProfile);
    auto profile = parseDeviceProfile(text);
    if (!profile.ok())
        return Error{profile.error()};
    auto record = recordIn(text);
    if (!record.ok())
        return Error{record.error()};
    return CalibratedProfile{std::move(profile).value(), record.value().value_or(CalibrationRecord())};
}

}  // namespace overlane
