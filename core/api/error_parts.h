// An Error of core taken apart for callers that show its parts: what failed, where, and what to do next.
//
// The house writes one sentence "WHERE: what; what to do next." or "What. What to do next." Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace overlane
{

// {"message", "what", "where", "advice"}. `place` is the file or the question at hand, "" where there is none.
nlohmann::ordered_json errorJson(const Error& error, std::string_view place);

}  // namespace overlane
