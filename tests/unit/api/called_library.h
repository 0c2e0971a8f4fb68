// liboverlane called as a program of C would, with its texts freed and parsed.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/api/arrow_abi.h"
#include "core/api/overlane.h"

namespace overlane::test
{

using LibraryJson = nlohmann::ordered_json;

struct LibraryAnswer {
    int code = 0;
    LibraryJson json;
};

inline LibraryAnswer taken(int code, char* text)
{
    LibraryAnswer answer{code, text != nullptr ? LibraryJson::parse(text) : LibraryJson()};
    overlane_text_free(text);
    return answer;
}

struct TraceCloser {
    void operator()(overlane_trace* trace) const { overlane_trace_free(trace); }
};
using OpenTrace = std::unique_ptr<overlane_trace, TraceCloser>;

inline LibraryAnswer open(const std::string& path, OpenTrace& trace, overlane_progress* progress = nullptr)
{
    overlane_trace* opened = nullptr;
    char* text = nullptr;
    const int code = overlane_open(path.c_str(), progress, &opened, &text);
    trace.reset(opened);
    return taken(code, text);
}

inline OpenTrace sample(const std::string& name)
{
    OpenTrace trace;
    EXPECT_EQ(open(OVERLANE_SOURCE_DIR "/resources/samples/" + name, trace).code, OVERLANE_OK);
    return trace;
}

inline LibraryAnswer ask(const OpenTrace& trace, const char* question, const char* arguments = nullptr,
                         const OpenTrace& other = {}, overlane_progress* progress = nullptr)
{
    char* text = nullptr;
    const int code = overlane_ask(trace.get(), other.get(), question, arguments, progress, nullptr, &text);
    return taken(code, text);
}

inline LibraryAnswer table(const OpenTrace& trace, const char* name, ArrowArrayStream* stream,
                           const char* arguments = nullptr)
{
    char* text = nullptr;
    const int code = overlane_table(trace.get(), name, arguments, nullptr, stream, &text);
    return taken(code, text);
}

}  // namespace overlane::test
