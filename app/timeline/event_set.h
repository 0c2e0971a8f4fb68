// EventSet: events to mark in the lanes, in order of their index, shared and not copied. Null for none.
//
// Immutable, so any thread may read it. A search finds millions: eventSet() sorts them on the worker that found them.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/strong_id.h"

namespace overlane
{

using EventSet = std::shared_ptr<const std::vector<EventIndex>>;

inline EventSet eventSet(std::vector<EventIndex> events)
{
    if (events.empty())
        return nullptr;
    std::sort(events.begin(), events.end());
    return std::make_shared<const std::vector<EventIndex>>(std::move(events));
}

}  // namespace overlane
