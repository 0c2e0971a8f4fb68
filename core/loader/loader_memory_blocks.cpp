#include "core/loader/loader_memory_blocks.h"

#include <fmt/format.h>
#include <utility>

#include "core/base/units.h"

namespace overlane
{

Blocks loaderMemoryBlocks(const LoaderMemory& memory)
{
    Table parts{"",
                {{"count", "#"},
                 {"each_bytes", "each"},
                 {"all_bytes", "all"},
                 {"kind", "kind", Column::Kind::Words},
                 {"what", "what", Column::Kind::Words}},
                {}};
    for (const MemoryPart& part : memory.parts)
        parts.rows.push_back({{countCell(part.count),
                               bytesCell(part.eachBytes),
                               bytesCell(part.bytes()),
                               {part.pinned ? "pinned" : "pageable"},
                               {part.what}},
                              ""});
    const std::string rounding =
        memory.roundingBytes > 0 ? fmt::format("Rounding each tensor to a power of two costs {} of the pinned memory.",
                                               formatBytes(memory.roundingBytes))
                                 : "";
    return {Sentence{fmt::format("{} pinned, {} pageable.", formatBytes(memory.pinnedBytes),
                                 formatBytes(memory.pageableBytes))},
            std::move(parts), Sentence{rounding, Tone::Muted}};
}

}  // namespace overlane
