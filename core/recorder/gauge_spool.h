// GaugeSpool: samples gauges of the machine beside a recording and writes them into its directory
// as a spool of their own.
//
// Owns two threads: one samples memory 50 times a second, and what it may of the processes each time,
// and writes; the other asks the driver, which takes its time, five times a second. start() and stop() from one thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

#include "core/spool/record_control.h"
#include "core/spool/spool_writer.h"
#include "core/system/gauge.h"

namespace overlane
{

class GaugeSpool
{
public:
    // `rootProcess` and everything below it is measured. Without a file in `directory` (a full
    // disk) nothing is sampled.
    GaugeSpool(const std::string& directory, pid_t rootProcess);
    ~GaugeSpool();
    GaugeSpool(const GaugeSpool&) = delete;
    GaugeSpool& operator=(const GaugeSpool&) = delete;

    // Samples no more; everything so far is written.
    void stop();
    // errno of a write that failed, 0 = none; once stopped.
    int error() const { return m_writer.error(); }

private:
    struct Sampled {
        std::unique_ptr<GaugeSource> source;
        std::vector<std::uint32_t> ids;
        std::vector<double> last;
    };
    void define(Sampled& sampled);
    void sample(Sampled& sampled, std::vector<spool::GaugeSample>& into) const;
    bool rests() const;
    void sampleHost();
    void sampleDriver();

    SpoolWriter m_writer;
    RecordControl m_control;
    std::uint32_t m_gauges = 0;
    std::vector<Sampled> m_host;
    Sampled m_driver;
    std::mutex m_mutex;
    std::vector<spool::GaugeSample> m_driverSamples;  // for the writing thread
    std::atomic<bool> m_stopped = false;
    std::thread m_hostThread;
    std::thread m_driverThread;
};

}  // namespace overlane
