// The spool: what a recorded process writes while it runs, one append-only file per process.
//
// A spool is a sequence of frames. A frame is a FrameHeader and `bytes` of payload: `count` records
// of one kind, each `recordBytes` long, in the byte order of the machine (little endian on every
// machine CUDA runs on). A frame is written whole or, by whoever is killed in the middle, cut; the
// checksum tells. Times are CLOCK_MONOTONIC nanoseconds, the same clock in every process of a
// machine; ProcessStart says how far Unix time is from it. Ids of strings are those of the same
// file. Frames that define something (strings, GPUs, contexts, lanes, gauges) come before those
// that refer to it.
//
// Records are plain data of fixed width, so that a script can write them too (crc32 is zlib's). A
// reader takes the first bytes it knows of a longer record and fills the rest of a shorter one with
// zeros: fields are appended, never moved. Unknown kinds of frames are counted and skipped.
// No dependencies: this header is compiled into the recorded program.
#pragma once

#include <cstdint>
#include <type_traits>

namespace overlane::spool
{

constexpr std::uint32_t kMagic = 0x5053564F;  // "OVSP"
constexpr std::uint8_t kVersion = 1;          // raised when an older reader would misread
constexpr std::uint32_t kLongestPayload = 16u << 20;
constexpr std::uint32_t kNone = 0xFFFFFFFF;  // no thread, device, stream, string ...
constexpr const char* kFileSuffix = ".spool";

enum class FrameKind : std::uint16_t {
    ProcessStart = 1,  // once, among the first frames
    Strings = 2,       // count x {StringHeader, bytes}; recordBytes is 0
    ApiCalls = 3,
    Kernels = 4,
    Copies = 5,
    Memsets = 6,
    Syncs = 7,
    MemoryOps = 8,
    Markers = 9,
    MarkerData = 10,
    Overheads = 11,
    CudaEvents = 12,
    ExternalCorrelations = 13,
    Devices = 14,
    Contexts = 15,
    Streams = 16,
    ThreadNames = 17,
    Status = 18,
    Ticks = 19,
    GaugeDefinitions = 20,
    GaugeSamples = 21,
    Lanes = 22,
    LaneEvents = 23,
    StackNodes = 24,
    StackSamples = 25,
    Collectives = 26,
};

struct FrameHeader {
    std::uint32_t magic = kMagic;
    std::uint8_t version = kVersion;
    std::uint8_t reserved = 0;
    FrameKind kind = FrameKind::Strings;
    std::uint32_t sequence = 0;  // 0, 1, 2, ... within the file
    std::uint32_t count = 0;
    std::uint32_t recordBytes = 0;
    std::uint32_t bytes = 0;      // of the payload
    std::uint32_t crc = 0;        // of the payload
    std::uint32_t headerCrc = 0;  // of the 28 bytes before it
};
static_assert(sizeof(FrameHeader) == 32);

enum class Producer : std::uint32_t {
    Injection = 0,  // inside the recorded program
    Recorder = 1,   // `overlane record` itself: gauges of the machine
    Script = 2,     // a hook in the recorded program's own language
};

struct ProcessStart {
    std::int64_t timeNs = 0;
    std::int64_t unixOffsetNs = 0;  // Unix time minus the spool's clock
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::uint32_t program = kNone;  // string: name of the executable
    std::uint32_t command = kNone;  // string: the command line
    Producer producer = Producer::Injection;
    std::uint32_t cuptiVersion = 0;  // as cuptiGetVersion answers; 0 = none
    std::uint32_t kinds = 0;         // RecordKinds that were asked for; 0 = not said
    std::uint32_t reserved = 0;
};

struct StringHeader {
    std::uint32_t id = 0;
    std::uint32_t length = 0;
};

struct ApiCall {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t thread = kNone;
    std::uint32_t correlation = 0;
    std::uint32_t name = kNone;
    std::uint32_t result = 0;  // cudaError_t or CUresult
};

struct Kernel {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t name = kNone;  // mangled, as the driver knows it
    std::uint32_t graph = 0;     // the CUDA graph that launched it; 0 = none
};

enum class Direction : std::uint8_t {
    Other = 0,
    HostToDevice = 1,
    DeviceToHost = 2,
    WithinDevice = 3,
    BetweenDevices = 4,
};

struct Copy {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t bytes = 0;
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t sourceDevice = kNone;       // between devices only
    std::uint32_t destinationDevice = kNone;  // between devices only
    std::uint32_t channel = kNone;            // hardware channel
    std::uint8_t channelType = 0;             // 1 compute, 2 asynchronous copy
    Direction direction = Direction::Other;
    std::uint8_t source = 0;       // MemoryKind of core/trace/event.h
    std::uint8_t destination = 0;  // MemoryKind
    std::uint8_t asynchronous = 0;
    std::uint8_t reserved[3] = {};
    std::uint32_t graph = 0;
};

struct Memset {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t bytes = 0;
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t memory = 0;  // MemoryKind
    std::uint32_t graph = 0;
};

enum class SyncType : std::uint32_t { Unknown = 0, Event = 1, StreamWaitsForEvent = 2, Stream = 3, Context = 4 };

struct Sync {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    SyncType type = SyncType::Unknown;
    std::uint32_t context = 0;
    std::uint32_t stream = kNone;
    std::uint32_t event = kNone;
    std::uint32_t correlation = 0;
    std::uint32_t result = 0;
};

enum class MemoryOperation : std::uint8_t { Unknown = 0, Allocate = 1, Free = 2 };

struct MemoryOp {
    std::int64_t timeNs = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = kNone;
    std::uint32_t correlation = 0;
    MemoryOperation operation = MemoryOperation::Unknown;
    std::uint8_t memory = 0;  // MemoryKind; pinned also for cudaHostRegister
    std::uint8_t reserved[6] = {};
};

enum class MarkerType : std::uint32_t { Instant = 0, Start = 1, End = 2 };

struct Marker {
    std::int64_t timeNs = 0;
    std::uint32_t id = 0;          // joins start and end within the process
    std::uint32_t thread = kNone;  // kNone: a range of the whole process
    std::uint32_t name = kNone;
    std::uint32_t domain = kNone;
    MarkerType type = MarkerType::Instant;
    std::uint32_t reserved = 0;
};

enum class PayloadType : std::uint32_t { None = 0, Integer = 1, Unsigned = 2, Real = 3 };

struct MarkerData {
    std::uint32_t id = 0;
    std::uint32_t category = 0;
    std::uint32_t color = 0;  // 0xAARRGGBB; 0 = none
    PayloadType payloadType = PayloadType::None;
    std::uint64_t payload = 0;  // the bits of an int64, uint64 or double
};

enum class OverheadType : std::uint32_t {
    Unknown = 0,
    Compiler = 1,  // the driver compiles
    Flush = 2,     // CUPTI hands buffers over
    Instrumentation = 3,
    Resource = 4,         // CUPTI makes or frees its own resources
    ModuleLoading = 5,    // a module is loaded because a call needs it
    FunctionLoading = 6,  // lazy loading of a kernel
    CommandBuffer = 7,    // the launch queue is full
    BufferRequest = 8,
    UnifiedMemory = 9,
};

struct Overhead {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    OverheadType type = OverheadType::Unknown;
    std::uint32_t thread = kNone;
    std::uint32_t correlation = 0;
    std::uint32_t reserved = 0;
};

struct CudaEvent {
    std::uint64_t syncId = 0;  // joins a record with the waits for it
    std::uint32_t event = 0;
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;  // of the call that recorded it, which has the time
    std::uint32_t reserved = 0;
};

struct ExternalCorrelation {
    std::uint64_t id = 0;
    std::uint32_t type = 0;
    std::uint32_t correlation = 0;
};

struct Device {
    std::uint8_t uuid[16] = {};
    std::uint64_t memoryBytes = 0;
    double linkBytesPerSecond = 0;  // host link, one direction; 0 = unknown
    std::uint32_t id = 0;           // as this process numbers it
    std::uint32_t name = kNone;
    std::uint32_t busId = kNone;  // "0000:3b:00.0"
    std::int32_t numaNode = -1;
    std::uint32_t computeCapability = 0;  // 90 for 9.0
    std::uint32_t multiprocessors = 0;
};

struct Context {
    std::uint32_t id = 0;
    std::uint32_t device = 0;
    std::uint32_t defaultStream = kNone;
    std::uint32_t reserved = 0;
};

struct Stream {
    std::uint32_t id = 0;
    std::uint32_t context = 0;
    std::int32_t priority = 0;
    std::uint32_t flags = 0;  // 1 default flags, 2 non-blocking, 3 the default stream itself
};

struct ThreadName {
    std::uint32_t thread = 0;
    std::uint32_t name = kNone;
};

struct Status {
    std::int64_t timeNs = 0;
    std::uint32_t code = 0;   // RecordStatus of record_status.h
    std::int32_t detail = 0;  // an error number where the code has one
    std::uint32_t text = kNone;
    std::uint32_t reserved = 0;
};

// Totals so far, once per flush.
struct Tick {
    std::int64_t timeNs = 0;
    std::uint64_t records = 0;
    std::uint64_t dropped = 0;         // by CUPTI, for want of a buffer
    std::uint64_t zeroTimes = 0;       // records without a time, left out of the other frames
    std::uint64_t unknownRecords = 0;  // kinds nobody asked for
    std::int64_t cpuNs = 0;            // processor time of the recording thread
    std::uint64_t bufferBytes = 0;     // held for CUPTI
    std::int64_t newestNs = 0;         // latest time of any record
    std::int64_t callCostNs = 0;       // of one recorded driver call, as measured beside the program
};

// A gauge measures one number over time.
struct GaugeDefinition {
    std::uint32_t id = 0;
    std::uint32_t name = kNone;
    std::uint32_t unit = 0;  // CounterUnit of core/trace/track.h
    std::int32_t device = -1;
    std::int32_t sortOrder = 0;
    std::uint32_t machineWide = 0;  // 1: of the machine, not of the process
};

struct GaugeSample {
    std::int64_t timeNs = 0;
    double value = 0;
    std::uint32_t gauge = 0;
    std::uint32_t reserved = 0;
};

// A lane of the process beside its threads: an actor of a loader, steps.
struct Lane {
    std::uint32_t id = 0;
    std::uint32_t name = kNone;
    std::uint32_t kind = 2;  // TrackKind of core/trace/track.h
    std::int32_t sortOrder = 0;
    std::uint32_t thread = 0;       // whose track takes the events; 0: the lane has a track of its own
    std::uint32_t bookkeeping = 0;  // 1: of the recording itself, no part of what it shows
};

struct LaneEvent {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t lane = 0;
    std::uint32_t name = kNone;
    std::uint32_t kind = 0;  // EventKind of core/trace/event.h; no copies
    std::uint32_t correlation = 0;
};

// A function on a stack, below the one that called it: stacks that begin alike share their nodes.
struct StackNode {
    std::uint32_t id = 0;
    std::uint32_t parent = kNone;  // the caller; kNone: the outermost
    std::uint32_t name = kNone;    // "train.py:88 augment"
    std::uint32_t kind = 16;       // EventKind of core/trace/event.h: ProgramFrame or LibraryFrame
};

// Where the thread of a lane was seen. The lane is of kind Stacks: its `thread` says whose stacks they are,
// or, where that is 0, its name does.
struct StackSample {
    std::int64_t startNs = 0;  // when it was to be looked at
    std::int64_t endNs = 0;    // when it was
    std::uint32_t lane = 0;
    std::uint32_t node = kNone;  // the innermost function
};

// A call of NCCL, or the calls of one of its groups: which the kernels are that the thread launched in that time.
struct Collective {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t communicator = 0;  // NCCL's number, alike on all its ranks; 0 = unknown
    std::uint64_t bytes = 0;         // of the messages, as NCCL counts them; 0 = unknown
    std::int64_t sequence = -1;      // of the first call among those of the communicator; -1 = unknown
    std::uint32_t thread = kNone;
    std::uint32_t kind = 0;  // CollectiveKind of core/trace/collective.h
    std::int32_t ranks = 0;  // of the communicator; 0 = unknown
    std::uint32_t calls = 0;
};

// The kind of frame that holds a record.
template <typename Record>
struct FrameOf;
#define OVERLANE_FRAME_OF(record, frame)                     \
    template <>                                              \
    struct FrameOf<record> {                                 \
        static constexpr FrameKind kKind = FrameKind::frame; \
        static_assert(std::is_trivially_copyable_v<record>); \
        static_assert(sizeof(record) % 8 == 0);              \
    }
OVERLANE_FRAME_OF(ProcessStart, ProcessStart);
OVERLANE_FRAME_OF(ApiCall, ApiCalls);
OVERLANE_FRAME_OF(Kernel, Kernels);
OVERLANE_FRAME_OF(Copy, Copies);
OVERLANE_FRAME_OF(Memset, Memsets);
OVERLANE_FRAME_OF(Sync, Syncs);
OVERLANE_FRAME_OF(MemoryOp, MemoryOps);
OVERLANE_FRAME_OF(Marker, Markers);
OVERLANE_FRAME_OF(MarkerData, MarkerData);
OVERLANE_FRAME_OF(Overhead, Overheads);
OVERLANE_FRAME_OF(CudaEvent, CudaEvents);
OVERLANE_FRAME_OF(ExternalCorrelation, ExternalCorrelations);
OVERLANE_FRAME_OF(Device, Devices);
OVERLANE_FRAME_OF(Context, Contexts);
OVERLANE_FRAME_OF(Stream, Streams);
OVERLANE_FRAME_OF(ThreadName, ThreadNames);
OVERLANE_FRAME_OF(Status, Status);
OVERLANE_FRAME_OF(Tick, Ticks);
OVERLANE_FRAME_OF(GaugeDefinition, GaugeDefinitions);
OVERLANE_FRAME_OF(GaugeSample, GaugeSamples);
OVERLANE_FRAME_OF(Lane, Lanes);
OVERLANE_FRAME_OF(LaneEvent, LaneEvents);
OVERLANE_FRAME_OF(StackNode, StackNodes);
OVERLANE_FRAME_OF(StackSample, StackSamples);
OVERLANE_FRAME_OF(Collective, Collectives);
#undef OVERLANE_FRAME_OF

}  // namespace overlane::spool
