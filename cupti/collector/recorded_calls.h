// Which runtime and driver calls are recorded, by their names.
//
// Names, not numbers: a CUPTI newer than the headers knows calls they do not. Pure function. A call
// matters when it moves or sets memory, waits, allocates, or launches; everything else costs the
// program a microsecond a call and tells the analysis nothing.
#pragma once

#include <string_view>

#include "core/spool/record_kinds.h"

namespace overlane
{

enum class CallDomain { Driver, Runtime };

// `name` as CUPTI gives it: "cudaMemcpyAsync_v3020", "cuMemcpyHtoDAsync_v2".
bool isRecordedCall(CallDomain domain, std::string_view name, RecordKinds kinds);

}  // namespace overlane
