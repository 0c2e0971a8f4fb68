// What `overlane whatif` works out of a judged trace: the replay, and what changes would make of a step.
//
// Functions of their arguments, any thread; cancellable. JSON keys are stable: append, never rename. Nanoseconds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cli/whatif_json.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

struct WhatIfQuestion {
    std::vector<std::string> changes;  // as parseChange() takes them; none: what each alone would bring
    std::string iteration;
    std::string steps;   // "10-40"; empty: all that can be judged
    std::string device;  // a profile, by name or file; empty: by the name of the trace's GPU
    std::string out;     // where the predicted timeline goes; empty: nowhere
};

// A question whose words were understood.
struct WhatIfPlan {
    std::vector<Change> changes;
    ReplayOptions replay;
    TraceRequest request;
    bool withTrace = false;
};
Result<WhatIfPlan> planned(const WhatIfQuestion& question);

struct WhatIfAnswer {
    ReplayReport report;
    Prediction unchanged;
    std::vector<Prediction> predictions;  // one, or the suggestions
    bool isSuggestion = false;
};
// `judged` was made by the plan's request.
Result<WhatIfAnswer> whatIfAnswer(const std::shared_ptr<const JudgedTrace>& judged, const WhatIfPlan& plan,
                                  Progress* progress);
OrderedJson whatIfJson(const WhatIfAnswer& answer);

}  // namespace overlane
