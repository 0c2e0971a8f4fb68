#include "core/cli/record_status_line.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/cli/printable_stream.h"
#include "core/content/terminal.h"

namespace overlane
{
namespace
{

std::string stateText(RecordSession::State state)
{
    switch (state) {
        case RecordSession::State::Waiting:
            return "waiting";
        case RecordSession::State::Recording:
            return "recording";
        case RecordSession::State::Stopped:
            return "stopped, the program continues";
        case RecordSession::State::Ended:
            break;
    }
    return "ended";
}

}  // namespace

std::string recordStatusText(const RecordSession& session)
{
    const RecordingTotals& totals = session.totals();
    const int wanted = session.options().iterations;
    if (wanted > 0 && session.state() == RecordSession::State::Waiting)
        return fmt::format("overlane: iteration {} of {} before recording", session.iterationsBegun(),
                           session.options().afterIterations);
    if (wanted > 0 && session.state() == RecordSession::State::Recording)
        return fmt::format("overlane: recording iteration {} of {}; {}, {}", std::max(session.iterationsRecorded(), 1),
                           wanted, counted(totals.kernels, "kernel"), counted(totals.copies, "copy", "copies"));
    std::string line = fmt::format("overlane: {} {}", stateText(session.state()), formatDuration(session.elapsedNs()));
    if (totals.processes == 0)
        return line + "; no process uses CUDA yet";
    line += fmt::format("; {}, {}, {}", counted(totals.kernels, "kernel"), counted(totals.copies, "copy", "copies"),
                        formatBytes(totals.copyBytes));
    if (totals.pinnedBytes > 0)
        line += fmt::format("; {} pinned", formatBytes(static_cast<std::int64_t>(totals.pinnedBytes)));
    if (totals.dropped > 0)
        line += fmt::format("; {} dropped", counted(static_cast<std::int64_t>(totals.dropped), "record"));
    return line;
}

RecordStatusLine::RecordStatusLine(std::ostream& err, bool draws)
    : m_err(err), m_terminal(draws && isatty(STDERR_FILENO) != 0), m_drawn(m_terminal)
{
}

RecordStatusLine::~RecordStatusLine()
{
    clear();
}

void RecordStatusLine::draw(const std::string& text)
{
    if (m_terminal)
        m_err << eraseLine << text.substr(0, textColumns() - 1) << std::flush;
    m_drawn = m_terminal;
}

void RecordStatusLine::clear()
{
    if (m_terminal && m_drawn)
        m_err << eraseLine << std::flush;
    m_drawn = false;
}

void RecordStatusLine::say(const std::string& sentence)
{
    clear();
    m_err << "overlane: " << sentence << '\n' << std::flush;
}

}  // namespace overlane
