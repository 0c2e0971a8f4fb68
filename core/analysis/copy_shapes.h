// Copy shapes: what the order of a program's copies looks like over its iterations: what leaves the device and
// comes back, what passes through it, what grows.
//
// Pure passes over the requests of a device (core/analysis/copy_requests.h), linear; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/analysis/copy_requests.h"
#include "core/base/work_meter.h"

namespace overlane
{

// What recurs does so in such a part of the iterations.
constexpr double kRecurring = 0.6;
constexpr double kNearlyAll = 0.9;

// Within an iteration a copy to the host opens a bracket, and one to the device of the same size closes it.
struct RoundTrips {
    std::vector<std::int64_t> back;    // per size: copies to the device that close one
    bool any = false;                  // several are open at once, in most iterations
    bool inOrder = false;              // the last one out is the first one back
    bool outBetweenLaunches = false;   // some launches lie between the copies to the host
    bool backBetweenLaunches = false;  // ... and between those back
    // No launch lies between the last one out and the first one back: the host has what it needs, and does its part.
    bool updatedOnHost = false;
    bool streams = false;  // no brackets: a piece in, a piece out, several times per iteration

    // The other way round: a copy to the device opens, and one to the host of the same size closes.
    std::vector<std::int64_t> visits;  // per size: copies to the host that close one
    bool visitsAtEnd = false;          // many, few of them open at once, behind other work of the iteration
};
RoundTrips roundTrips(const CopyRequests& requests, const WorkMeter& work = {});

// Per size of one direction, whether it is one of a row in which runs of copies of one size, two at least, are
// larger than the run before by the same amount, with launches between: keys and values of every layer, token by token.
std::vector<bool> growingSizes(const CopyRequests& requests, bool toDevice, const WorkMeter& work = {});

// Per direction (to the device, to the host) and size, whether it is one of the sizes in which a row of equal copies
// comes in and as many go back, larger by the same amount in nearly every iteration: keys and values of a conversation
// that is taken up again.
std::array<std::vector<bool>, 2> sizesGrownInside(const CopyRequests& requests, const WorkMeter& work = {});

// Per size, whether its copies visit the device one at a time in turn with those of others, with much other work of
// every iteration elsewhere: an optimizer's state, part by part, wherever the iterations are cut. Where all are of one
// size, pieces that stream through look the same.
std::vector<bool> sizesVisitingInTurn(const CopyRequests& requests, const WorkMeter& work = {});

}  // namespace overlane
