// What of an .overlane file decides whether saving over it loses anything, read without its events.
//
// Stateless, any thread.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/io/overlane_save.h"
#include "core/trace/trace.h"

namespace overlane
{

MadeByHand madeByHand(const TraceMetadata& metadata);
// Empty texts are left out.
void putMadeByHand(const MadeByHand& hand, TraceMetadata& metadata);

// The Error is the reason alone, without the name of the file.
Result<OverlaneOnDisk> readOnDisk(const std::string& path);

// Whether two finished files hold the same names, tracks, events and samples, by their checksums; false
// where one of them lacks these.
bool holdSameTrace(const std::string& a, const std::string& b);

}  // namespace overlane
