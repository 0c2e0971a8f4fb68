// RangeInsight: the judgement of a range beside the trace that it is of, ready to be shown.
//
// Values, made on a worker.
#pragma once

#include <memory>

#include "core/judgement/judgement.h"
#include "core/trace/trace.h"

namespace overlane
{

struct RangeInsight : Judgement {
    std::shared_ptr<const Trace> trace;
};

}  // namespace overlane
