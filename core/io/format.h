// One file format of traces: how to recognize, read and write it.
//
// Stateless; every member may be called from any thread. Files come from strangers: reading
// never crashes, and memory stays within a small multiple of what a valid file of that size needs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace overlane
{

class TraceFormat
{
public:
    virtual ~TraceFormat() = default;

    virtual std::string_view name() const = 0;                     // "kineto"; stable, in JSON output
    virtual std::string_view description() const = 0;              // "PyTorch profiler (Kineto) JSON", for file dialogs
    virtual std::vector<std::string_view> extensions() const = 0;  // with the dot: ".json.gz"

    // Whether a file that starts with `head` (decompressed, up to 64 KiB) is of this format.
    virtual bool sniff(std::span<const char> head) const = 0;
    virtual Result<Trace> read(const std::string& path, Progress& progress) const = 0;

    virtual bool canWrite() const { return false; }
    // What a written file does not hold of a trace, as a part of a sentence; empty where it holds everything.
    virtual std::string_view leavesOut() const { return {}; }
    // Replaces `path` as a whole or leaves it as it was.
    virtual Result<void> write(const Trace& trace, const std::string& path, Progress& progress) const;
};

// What a rank's digest (core/job/rank_digest_file.h) begins with: no trace, and told from unknown files.
inline constexpr std::string_view kDigestLetters = "OVLDIGST";

// All formats, in the order in which they are asked to sniff.
std::span<const TraceFormat* const> allFormats();

// Whether a file begins as a trace does, by its head alone; false for what cannot be read.
bool isTraceFile(const std::string& path, const Progress& progress);
// The extensions of all formats, with the dot.
std::vector<std::string_view> traceExtensions();

// Opens a trace of any format; the Error names the file, the reason and what to do.
Result<Trace> readTrace(const std::string& path, Progress& progress);
// The damage of a file that could be read in part only; empty for any other.
std::string damageOf(const Trace& trace);
// The format that a file of this name is written in; nullptr where there is none.
const TraceFormat* formatToWrite(const std::string& path);
// Writes in the format that the file name's extension asks for; ".overlane" where there is none.
Result<void> writeTrace(const Trace& trace, const std::string& path, Progress& progress);

}  // namespace overlane
