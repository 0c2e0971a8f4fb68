// WhatIfChoices: which changes are switched on, and with which values.
//
// A value; pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <QString>

#include "core/base/result.h"
#include "core/findings/finding.h"
#include "core/replay/change.h"
#include "core/trace/trace.h"

namespace overlane
{

struct WhatIfChoices {
    static constexpr int kMostDepth = 64;
    static constexpr int kMostWorkers = 256;

    std::array<bool, kChangeKindCount> on{};
    std::int64_t depth = 0;  // batches ahead on a stream of their own; 0: in the order they have
    std::int64_t workers = 8;
    std::string deviceKey;
    double linkGbPerSecond = 25;

    bool has(ChangeKind kind) const { return on[static_cast<std::size_t>(kind)]; }
    void set(ChangeKind kind, bool wanted) { on[static_cast<std::size_t>(kind)] = wanted; }
    bool any() const;
    // One change with its value, on or not.
    Change change(ChangeKind kind) const;
    // Those that are on.
    std::vector<Change> changes() const;

    friend bool operator==(const WhatIfChoices&, const WhatIfChoices&) = default;
};

// Nothing on; values that differ from what the trace has: twice its workers, another device.
WhatIfChoices choicesFor(const Trace& trace);
// Switches a change on with its value.
void add(WhatIfChoices& choices, const Change& change);
// As the command line writes them: "pin", "side_stream=2".
Result<WhatIfChoices> parsedChoices(WhatIfChoices from, const std::vector<std::string>& texts);

QString changeLabel(ChangeKind kind);    // "Pin the sources"
QString changeMeaning(ChangeKind kind);  // one sentence

// The changes that would remove what a rule found; none where no change here does.
std::vector<ChangeKind> changesOf(RuleId rule);

}  // namespace overlane
