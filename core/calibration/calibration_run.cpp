#include "core/calibration/calibration_run.h"

#include <csignal>
#include <fcntl.h>
#include <iterator>
#include <unistd.h>

#include "core/base/progress.h"
#include "core/base/text_file.h"
#include "core/spool/spool_clock.h"
#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kPatienceNs = 3'000'000'000;
constexpr std::size_t kMostLastWords = 600;
constexpr const char* kProfile = "profile.json";
constexpr const char* kOutput = "output.txt";
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

}  // namespace

CalibrationRun::CalibrationRun(TemporaryFolder folder, ChildProcess process)
    : m_folder(std::move(folder)), m_process(process), m_output(m_folder.file(kOutput))
{
}

CalibrationRun::~CalibrationRun()
{
    if (!m_end) {
        m_process.signal(SIGKILL);
        m_process.wait();
    }
}

Result<std::unique_ptr<CalibrationRun>> CalibrationRun::start(const CalibrationRunOptions& options)
{
    const std::string program = options.program.empty() ? companionPath("overlane").string() : options.program;
    if (program.empty())
        return Error{"The command-line program overlane, which calibrates, is not next to this one."};
    ASSIGN_OR_RETURN(auto folder, TemporaryFolder::make("calibrate"));
    const int output = open(folder.file(kOutput).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    ProgramStart start;
    start.command = {program, "calibrate",          "--stream", "--device", std::to_string(options.device),
                     "-o",    folder.file(kProfile)};
    if (options.quick)
        start.command.emplace_back("--quick");
    start.outputFile = output;
    auto process = ChildProcess::start(start);
    if (output >= 0)
        close(output);
    if (!process.ok())
        return process.failure();
    return std::unique_ptr<CalibrationRun>(new CalibrationRun(std::move(folder), std::move(process).value()));
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
        return Error::cancelled();
    const bool failed = !m_end || m_end->signal != 0 || m_end->exitCode != 0;
    if (failed) {
        const std::string words = complaintIn(m_lastWords);
        return Error{words.empty() ? "The calibration was ended before it was done." : words};
    }
    const std::string text = textOfFile(m_folder.file(kProfile));
    ASSIGN_OR_RETURN(auto profile, parseDeviceProfile(text));
    ASSIGN_OR_RETURN(auto record, recordIn(text));
    return CalibratedProfile{std::move(profile), record.value_or(CalibrationRecord())};
}

}  // namespace overlane
