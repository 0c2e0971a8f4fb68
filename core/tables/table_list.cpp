#include "core/tables/table_list.h"

#include <array>

namespace overlane
{

std::span<const TableKind> allTables()
{
    static constexpr std::array kTables{
        TableKind{"copies", "Copies, with memory, role, cause and the time hidden under kernels.", makeCopies, true},
        TableKind{"kernels", "Kernels in order of start.", makeKernels, true},
        TableKind{"calls", "Calls of the CUDA runtime and driver, and waits for the device.", makeCalls},
        TableKind{"host", "Work of the host: operators, blocked time, the loader's actors.", makeHost},
        TableKind{"ranges", "What the program marks: NVTX ranges, steps.", makeRanges},
        TableKind{"iterations", "Turns of the program's own outer loop.", makeIterations, true},
        TableKind{"idle", "Time of each device without a kernel, by its cause.", makeIdle, true},
        TableKind{"names", "Work summed by name, as `overlane names` does.", makeNames, true, true},
        TableKind{"events", "Every event, in the order of the trace.", makeEvents},
        TableKind{"tracks", "The lanes that events lie on.", makeTracks},
        TableKind{"counters", "Values over time: memory, queues, rates.", makeCounters},
    };
    return kTables;
}

}  // namespace overlane
