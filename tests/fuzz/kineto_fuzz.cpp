// Any text as a Chrome trace, through the importer without a file, and the functions of Python that it names.
#include <cstdlib>

#include "core/analysis/host_stacks.h"
#include "core/io/kineto_format.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    overlane::MemorySource source(std::string_view(reinterpret_cast<const char*>(data), size));
    overlane::Progress progress;
    const overlane::MemoryGuard guard(0);  // asking the machine takes longer than reading
    const auto trace = overlane::readKineto(source, "input", progress, guard);
    if (!trace.ok())
        return 0;
    std::int64_t counted = 0;
    for (const overlane::ImportStat& stat : trace.value().stats().all())
        counted += stat.count;
    // Nothing may get lost, whatever the text.
    if (static_cast<std::int64_t>(trace.value().eventCount()) + counted != trace.value().metadata().sourceEvents)
        std::abort();
    const overlane::HostStacks stacks(trace.value());
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    return {
        R"json({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150109880320}],
 "baseTimeNanoseconds": 1752828536000000000, "traceEvents": [
 {"ph": "X", "cat": "cpu_op", "name": "aten::copy_", "pid": 5, "tid": 5, "ts": 100.125, "dur": 40.5, "args": {"External id": 1}},
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 5, "tid": 5, "ts": 110, "dur": 9, "args": {"correlation": 7}},
 {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 125.5, "dur": 30.001,
  "args": {"device": 0, "stream": 7, "correlation": 7, "bytes": 50331648}},
 {"ph": "X", "cat": "kernel", "name": "gemm\n\"x\"", "pid": 0, "tid": "stream 7", "ts": 1.5e2, "dur": 10, "args": {"correlation": 8}},
 {"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 1000007, "ts": 160, "dur": 1, "args": {"stream": -1}},
 {"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#1", "pid": 0, "tid": 7, "ts": 120, "dur": 60},
 {"ph": "s", "id": 7, "pid": 5, "tid": 5, "ts": 110, "cat": "ac2g", "name": "ac2g"},
 {"name": "thread_name", "ph": "M", "ts": 1, "pid": 5, "tid": 5, "args": {"name": "main"}},
 {"ph": "i", "s": "t", "name": "[memory]", "pid": 5, "tid": 5, "ts": 130, "args": {"Device Type": 1, "Device Id": 0, "Bytes": 4, "Total Allocated": 8}}
 ], "traceName": "a.json"})json",
        R"json({"traceEvents": [
 {"ph":"M","name":"process_name","pid":1,"args":{"name":"/device:GPU:0/stream:14 Compute"}},
 {"ph":"M","name":"process_name","pid":2,"args":{"name":"/device:GPU:0/stream:all Compute"}},
 {"ph":"M","name":"process_name","pid":3,"args":{"name":"/device:GPU:0/memcpy Compute"}},
 {"ph":"M","name":"process_name","pid":6,"args":{"name":"GPU0"}},
 {"ph":"M","name":"process_name","pid":7,"args":{"name":"COPY"}},
 {"ph":"M","name":"process_name","pid":8,"args":{"name":"CPU HIP API"}},
 {"ph":"X","cat":"Op","name":"MEMCPYHtoD","pid":1,"tid":0,"ts":10,"dur":5},
 {"ph":"X","cat":"Op","name":"MEMCPYHtoD","pid":2,"tid":0,"ts":10,"dur":5},
 {"ph":"X","cat":"Op","name":"Conv2D","pid":3,"tid":0,"ts":20,"dur":9},
 {"ph":"X","name":"gemm","pid":6,"tid":"2","ts":"6","dur":"2","args":{"BeginNs":"6000","EndNs":"8500","dev-id":"1","stream-id":"2","Index":"9"}},
 {"ph":"X","name":"CopyHostToDevice","pid":7,"tid":"2","ts":"6","dur":"2","args":{"BeginNs":"6000","EndNs":"8500","dev-id":"1","queue-id":"2","Index":"8"}},
 {"ph":"X","name":"hipMemcpyAsync","pid":8,"tid":"4","ts":"1","dur":"2","args":{"BeginNs":"1000","EndNs":"2500","args":"(sizeBytes(4096))","Index":"8"}}]})json",
        // Functions of Python, within each other and cut off, as with_stack=True writes them.
        R"json({"traceEvents": [
 {"ph": "X", "cat": "python_function", "name": "train.py(12): <module>", "pid": 5, "tid": 5, "ts": 1, "dur": 90.5,
  "args": {"Python id": 1, "Python parent id": null, "Ev Idx": 0}},
 {"ph": "X", "cat": "python_function", "name": "train.py(88): augment", "pid": 5, "tid": 5, "ts": 2, "dur": 60,
  "args": {"Python id": 2, "Python parent id": 1, "Python thread": 0}},
 {"ph": "X", "cat": "python_function", "name": "<built-in method sum of type object at 0x7f>", "pid": 5, "tid": 5, "ts": 3, "dur": 20},
 {"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_0", "pid": 5, "tid": 5, "ts": 30, "dur": 9, "args": {"Python module id": 0}},
 {"ph": "X", "cat": "python_function", "name": "torch/optim/adam.py(213): step", "pid": 5, "tid": 5, "ts": 40, "dur": 30},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mul", "pid": 5, "tid": 5, "ts": 41, "dur": 8, "args": {"Call stack": "train.py(88): augment;train.py(12): <module>"}},
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": 42, "dur": 4, "args": {"correlation": 3}},
 {"ph": "X", "cat": "kernel", "name": "mul", "pid": 0, "tid": 7, "ts": 47, "dur": 5, "args": {"correlation": 3, "device": 0, "stream": 7}},
 {"ph": "X", "cat": "python_function", "name": "<string>(1): f", "pid": 5, "tid": 6, "ts": 5, "dur": 1e9}]})json",
        R"json([{"ph":"B","name":"a","pid":"Spans","tid":"x","ts":1},{"ph":"E","pid":"Spans","tid":"x","ts":9},
{"ph":"b","cat":"c","id":"0x1","name":"n","pid":1,"ts":2},{"ph":"e","cat":"c","id":"0x1","pid":1,"ts":4.0005},
{"ph":"C","name":"q","pid":1,"ts":3,"args":{"in":3,"out":4.5}},{"ph":"i","name":"[memory]","ts":5,"args":{"Bytes":-4}},
{"ph":"X","cat":"Memset","name":"Memset (Device)","pid":0,"tid":"stream 7","ts":0,"dur":0
},7,"text",[1],null]
)json"};
}
