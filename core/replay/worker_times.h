// WorkerTimes: what each worker of a recorded loader was at, and for how long it handed nothing over then.
//
// A batch's tensors lie in shared memory; whoever takes the batch asks a thread of its worker for them, in
// several messages. While the worker runs Python code for another batch, that thread gets its turn every 5 ms
// at best (the interpreter's lock), so a handover can wait for most of it. A worker that rests or works in
// native code hands over at once. One thread; keeps a reference to the loader. Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/replay/program.h"

namespace overlane
{

// How long something takes undisturbed: usual where workers rested, else what the quickest needed.
class UndisturbedTime
{
public:
    void add(std::int64_t ns, bool resting);
    std::int64_t ns() const;
    // Whether something was kept waiting.
    bool exceeds(std::int64_t ns) const;

private:
    std::vector<std::int64_t> m_all, m_resting;
};

class WorkerTimes
{
public:
    // Without an interpreter no worker keeps anybody waiting.
    WorkerTimes(LoaderProgram& loader, bool interpreter);

    // What the worker of a batch worked on then, kNoIndex where it rested.
    std::uint32_t workingOn(std::size_t batch, std::int64_t timeNs) const;
    // The batch was handed over at once then.
    void handedOver(std::size_t batch, std::int64_t timeNs);
    // It was asked for then and handed over only later: until when its worker's work held it up, `askedNs` where
    // it did not.
    std::int64_t heldUpUntil(std::size_t batch, std::int64_t askedNs, std::int64_t handedOverNs);
    // Fills LoaderBatch::holdsNs by what was seen.
    void store();

private:
    bool samplesMayHold() const;

    LoaderProgram& m_loader;
    bool m_interpreter;
    std::vector<std::vector<std::uint32_t>> m_batchesOf;  // by worker, as they were begun
    std::vector<std::int64_t> m_mostNs;                   // by batch: it held nothing back for longer
};

}  // namespace overlane
