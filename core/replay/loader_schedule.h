// LoaderSchedule: when a loader has its batches ready, as the consumer asks for one after another.
//
// Workers take indices as the consumer's fetches put them, each works on its batches in order, the pin
// thread takes what is ready first. One thread; keeps a reference to the loader. Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include <queue>

#include "core/replay/program.h"
#include "core/replay/schedule.h"

namespace overlane
{

class LoaderSchedule
{
public:
    explicit LoaderSchedule(const LoaderProgram& loader);

    // The consumer asks for a batch at a time; returns when it is ready. In order of batches.
    std::int64_t fetch(std::size_t batch, std::int64_t nowNs);
    // It has the batch then, and asks the workers for another.
    void received(std::size_t batch, std::int64_t nowNs);
    const std::vector<Schedule::Batch>& batches() const { return m_batches; }

private:
    void startEpoch(std::size_t batch, std::int64_t nowNs);
    void dispatchUntil(std::size_t batch, std::int64_t nowNs);
    // When a batch is handed over to whoever begins to take it then.
    std::int64_t handedOverNs(std::size_t batch, std::int64_t nowNs) const;

    struct Made {
        std::int32_t order;  // as the pin thread took them; the same for all where that is not known
        std::int64_t timeNs;
        std::size_t batch;
        auto operator<=>(const Made&) const = default;  // NOLINT(modernize-use-nullptr)
    };

    const LoaderProgram& m_loader;
    std::vector<Schedule::Batch> m_batches;
    std::vector<bool> m_ready;
    std::vector<std::int64_t> m_workerFreeNs;
    std::vector<std::vector<std::size_t>> m_workerBatches;                // of this epoch, as it begins them
    std::vector<std::size_t> m_begunWorkers;                              // that have any
    std::priority_queue<Made, std::vector<Made>, std::greater<>> m_made;  // waiting for the pin thread
    std::size_t m_epochFirst = 0;
    std::size_t m_epochEnd = 0;
    std::size_t m_dispatched = 0;
    std::int64_t m_epochNs = 0;
    std::int64_t m_pinFreeNs = 0;
};

}  // namespace overlane
