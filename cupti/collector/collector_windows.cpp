// The Collector of a recording in windows: what it makes anew for each, and what it lets go behind it.
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/spool/spool_clock.h"
#include "cupti/collector/collector.h"

namespace overlane
{

void Collector::followWindows()
{
    const RecordState state = m_control.state();
    const bool isThere = state == RecordState::Record;
    if (m_recording && (!isThere || m_window != m_control.window()))
        leaveWindow();
    if (!m_over && !m_recording && isThere && m_window != m_control.window())
        enterWindow();
    m_over = m_over || state == RecordState::Stop;
}

void Collector::enterWindow()
{
    m_window = m_control.window();
    if (!m_writer.open(windowFolder(m_options.spoolDirectory, m_window), static_cast<std::uint32_t>(m_pid),
                       monotonicNs())) {
        // The recorder has taken its folder already: this process was late.
        if (m_writer.error() != ENOENT)
            tellWriteError(m_writer.error());
        return;
    }
    describeProcess();
    makeDecoder();
    m_decoder->setOwnThread(static_cast<std::uint32_t>(::syscall(SYS_gettid)));
    m_decoder->addContexts(m_contexts);
    m_devicesWritten = false;
    m_windowLaneWritten = false;
    m_ownSeen = 0;
    m_ownMissingSinceNs = 0;
    m_dropped = m_droppedSaid = 0;
    m_decodedBytes = 0;
    m_countedBytes = 0;
    m_rate = 0;
    m_lastFlushNs = monotonicNs();
    if (m_peerCopies == PeerCopies::Recorded)
        m_peerCopies = PeerCopies::NotYet;
    startRecording();
    write();
}

void Collector::leaveWindow()
{
    stopRecording();
    if (m_options.detaches && m_cupti.cuptiFinalize != nullptr) {
        m_cupti.cuptiFinalize();
        m_prepared = false;
    }
    say(m_control.page()->stopReason == static_cast<std::uint32_t>(RecordStatus::SizeLimit) ? RecordStatus::SizeLimit
                                                                                            : RecordStatus::Stopped);
    flushCycle(false);
    if (m_decoder)
        m_contexts = m_decoder->contexts();
    m_writer.abandon();
    m_decoder.reset();
    m_buffers.freeReady();
    m_control.leftWindow();
}

}  // namespace overlane
