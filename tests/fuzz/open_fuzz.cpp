// Any bytes as a file of unknown format: sniffing, gzip, and whatever reader is chosen.
#include "core/io/format.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const overlane::fuzz::TemporaryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
    overlane::Progress progress;
    const auto trace = overlane::readTrace(file.path(), progress);
    if (!trace.ok() && trace.error().empty())
        std::abort();
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    const std::string folder = std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/kineto/";
    return {fileBytes(folder + "hta_event_sync_multi_stream.json.gz"), fileBytes(folder + "hta_large_integer.json.gz"),
            "[{\"ph\":\"X\",\"ts\":1,\"dur\":2}]"};
}
