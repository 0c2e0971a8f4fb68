// Prints simulated against measured walls of an H200's pipelines, and how far apart they are.
#include <fmt/format.h>
#include <string>

#include "tests/bench/h200_pipeline_rows.h"

int main(int argc, char** argv)
{
    const std::string file = argc > 1 ? argv[1] : OVERLANE_SOURCE_DIR "/tests/data/h200_pipeline_16MiB.jsonl";
    const auto rows = overlane::comparePipeline(file);
    if (rows.empty()) {
        fmt::print(stderr, "h200_pipeline: no rows in {}\n", file);
        return 1;
    }
    fmt::print("memory    ratio streams depth  measured ms  simulated ms   error\n");
    for (const auto& row : rows)
        fmt::print("{:<9} {:5.1f} {:7} {:5} {:12.2f} {:13.2f} {:6.1f} %\n", row.memory, row.ratio, row.streams,
                   row.depth, row.measuredUs / 1000, row.simulatedUs / 1000, 100 * row.signedError());
    for (const char* memory : {"pinned", "pageable"}) {
        const auto error = overlane::pipelineError(rows, memory);
        fmt::print("{}: median error {:.1f} %, worst decile {:.1f} %, {} rows\n", memory, 100 * error.median,
                   100 * error.worstDecile, error.rows);
    }
}
