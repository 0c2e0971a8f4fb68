// RecordStatus: what a recorded process has to say about its own recording, as one number, and the
// sentence a person reads.
//
// The process writes numbers only (spool_format.h, Status); sentences are made where they are read.
// Stored in spools: append, never renumber. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace overlane
{

enum class RecordStatus : std::uint32_t {
    Recording = 1,         // text: the CUPTI library in use; detail: its version
    Waiting = 2,           // attached, asked to start later
    Stopped = 3,           // asked to stop
    Ended = 4,             // the program ended and everything was written
    NoCupti = 5,           // text: the reason of the dynamic linker
    CuptiTooOld = 6,       // text: a function that the library lacks
    NoPermission = 7,      // CUPTI error 35
    Busy = 8,              // CUPTI error 39: another tool holds it
    TakenOver = 9,         // records stopped coming while the program ran
    CuptiFailed = 10,      // detail: CUPTI's error; text: the call
    KindUnavailable = 11,  // detail: CUPTI's error; text: the kind; the rest is recorded
    DiskFull = 12,         // detail: errno; said by the recorder, as the spool cannot be written
    SizeLimit = 13,
    WriteFailed = 14,  // detail: errno; said by the recorder
    RecordsDropped = 15,
    // 16 was never written.
    NotSupported = 17,         // CUPTI's 40 to 45: this kind of device
    LoaderNotUnderstood = 18,  // text: the version of PyTorch and what is unknown of its loader
    NoThread = 19,             // detail: errno; the thread that records could not be started
    EventsLeftOut = 20,        // of the script in the program: more of them than could be written
    PeerCopiesLeftOut = 21,    // the process runs XLA: see cupti/collector/peer_copies.h
};

// Whether recording of this process is over or never began.
bool endsRecording(RecordStatus status);
// Whether people should hear of it at once.
bool isAlarming(RecordStatus status);
// What it means that a spool could not be written.
RecordStatus writeStatus(int error);
// One sentence: what happened and what to do about it.
std::string statusSentence(RecordStatus status, std::int32_t detail, std::string_view text);

}  // namespace overlane
