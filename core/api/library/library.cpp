// The functions of overlane.h: texts and handles of C around the questions and tables of core/api. No exception leaves
// them.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "core/api/arguments.h"
#include "core/api/arrow_stream.h"
#include "core/api/error_parts.h"
#include "core/api/opened_trace.h"
#include "core/api/overlane.h"
#include "core/api/question.h"
#include "core/api/table_arguments.h"
#include "core/cli/convert_target.h"

struct overlane_trace {
    std::unique_ptr<overlane::OpenedTrace> opened;
};

struct overlane_progress {
    overlane::Progress progress;
};

namespace
{

using overlane::Arguments;
using overlane::Asked;
using overlane::Error;
using overlane::OpenedTrace;
using overlane::OrderedJson;
using overlane::Result;
using overlane::TableAsked;
using overlane::Takes;

void hand(char** text, const OrderedJson& json)
{
    if (text != nullptr)
        *text = strdup(json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace).c_str());
}

int failed(char** text, const Error& error, std::string_view place, int code)
{
    hand(text, overlane::errorJson(error, place));
    return error.isCancelled() ? OVERLANE_CANCELLED : code;
}

// Runs what answers a code; an exception becomes a sentence.
template <typename Work>
int guarded(char** text, std::string_view place, Work work)
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        constexpr const char* kShort =
            "There is not enough memory for this; close other programs, or take a shorter "
            "trace.";
        try {
            return failed(text, Error{kShort}, place, OVERLANE_FAILED);
        } catch (const std::bad_alloc&) {
            return OVERLANE_FAILED;
        }
    } catch (const std::exception& error) {
        return failed(text, Error{error.what()}, place, OVERLANE_FAILED);
    }
}

overlane::Progress& progressOf(overlane_progress* given, overlane::Progress& own)
{
    return given != nullptr ? given->progress : own;
}

std::string_view textOr(const char* text, std::string_view otherwise = {})
{
    return text != nullptr ? std::string_view(text) : otherwise;
}

// A question has the traces that it needs.
Result<void> checkTraces(const overlane::Question& question, const overlane_trace* trace, const overlane_trace* other)
{
    const bool needsOne = question.takes != Takes::Nothing;
    const bool needsTwo = question.takes == Takes::TwoTraces;
    const bool mayHaveTwo = needsTwo || question.takes == Takes::OneOrTwoTraces;
    if ((needsOne && trace == nullptr) || (needsTwo && other == nullptr))
        return Error{std::string(question.name) + " is asked of " + (needsTwo ? "two traces" : "a trace") +
                     "; open it first."};
    if ((!needsOne && trace != nullptr) || (!mayHaveTwo && other != nullptr))
        return Error{std::string(question.name) + " takes fewer traces; leave the last one out."};
    return {};
}

void* (*g_pyCapsuleGetPointer)(void* capsule, const char* name) = nullptr;

}  // namespace

int overlane_abi(void)
{
    return OVERLANE_ABI;
}

const char* overlane_version(void)
{
    return OVERLANE_VERSION;
}

void overlane_text_free(char* text)
{
    std::free(text);
}

overlane_progress* overlane_progress_new(void)
{
    return new (std::nothrow) overlane_progress();
}

double overlane_progress_fraction(const overlane_progress* progress)
{
    return progress->progress.fraction();
}

void overlane_progress_cancel(overlane_progress* progress)
{
    progress->progress.cancel();
}

void overlane_progress_free(overlane_progress* progress)
{
    delete progress;
}

int overlane_open(const char* path, overlane_progress* progress, overlane_trace** trace, char** text)
{
    const std::string_view place = textOr(path);
    return guarded(text, place, [&] {
        overlane::Progress own;
        auto opened = OpenedTrace::read(std::string(place), progressOf(progress, own));
        if (!opened.ok())
            return failed(text, opened.failure(), place, OVERLANE_FAILED);
        hand(text, overlane::factsOf(*opened.value()));
        *trace = new overlane_trace{std::move(opened).value()};
        return OVERLANE_OK;
    });
}

void overlane_trace_free(overlane_trace* trace)
{
    delete trace;
}

int overlane_ask(const overlane_trace* trace, const overlane_trace* other, const char* question, const char* arguments,
                 overlane_progress* progress, overlane_trace** made, char** text)
{
    const std::string_view place = trace != nullptr ? trace->opened->place() : textOr(question);
    return guarded(text, place, [&] {
        const auto found = overlane::findQuestion(textOr(question));
        if (!found.ok())
            return failed(text, found.failure(), place, OVERLANE_USAGE);
        if (const auto checked = checkTraces(*found.value(), trace, other); !checked.ok())
            return failed(text, checked.failure(), place, OVERLANE_USAGE);
        auto given = Arguments::parse(textOr(question), textOr(arguments));
        if (!given.ok())
            return failed(text, given.failure(), place, OVERLANE_USAGE);
        overlane::Progress own;
        Asked asked{trace != nullptr ? trace->opened.get() : nullptr, other != nullptr ? other->opened.get() : nullptr,
                    given.value(), progressOf(progress, own)};
        const Result<OrderedJson> answer = found.value()->answer(asked);
        if (!answer.ok())
            return failed(text, answer.failure(), place, asked.isUnderstood ? OVERLANE_FAILED : OVERLANE_USAGE);
        hand(text, answer.value());
        if (made != nullptr && asked.made)
            *made = new overlane_trace{std::move(asked.made)};
        return OVERLANE_OK;
    });
}

int overlane_table(const overlane_trace* trace, const char* name, const char* arguments, overlane_progress* progress,
                   ArrowArrayStream* stream, char** text)
{
    const std::string_view place = trace != nullptr ? trace->opened->place() : textOr(name);
    return guarded(text, place, [&] {
        if (trace == nullptr)
            return failed(text, Error{"A table is asked of a trace; open it first."}, place, OVERLANE_USAGE);
        const auto kind = overlane::findTable(textOr(name));
        if (!kind.ok())
            return failed(text, kind.failure(), place, OVERLANE_USAGE);
        auto given = Arguments::parse(textOr(name), textOr(arguments));
        if (!given.ok())
            return failed(text, given.failure(), place, OVERLANE_USAGE);
        const auto options = overlane::tableOptions(*kind.value(), given.value());
        if (!options.ok())
            return failed(text, options.failure(), place, OVERLANE_USAGE);
        overlane::Progress own;
        overlane::Progress& watched = progressOf(progress, own);
        const auto judged = [&] { return trace->opened->judged({options.value().iteration}, watched); };
        TableAsked asked{trace->opened->trace(), judged, options.value(), watched};
        Result<overlane::ArrowTable> made = kind.value()->make(asked);
        if (!made.ok())
            return failed(text, made.failure(), place, OVERLANE_FAILED);
        const auto table = std::make_shared<const overlane::ArrowTable>(std::move(made).value());
        OrderedJson json{{"name", kind.value()->name}, {"rows", table->rows}, {"columns", OrderedJson::array()}};
        for (const overlane::ArrowColumn& column : table->columns)
            json["columns"].push_back(column.name);
        hand(text, json);
        if (stream != nullptr)
            overlane::exportStream(table, stream);
        return OVERLANE_OK;
    });
}

ArrowArrayStream* overlane_stream_new(void)
{
    return new (std::nothrow) ArrowArrayStream{};
}

void overlane_stream_free(ArrowArrayStream* stream)
{
    if (stream != nullptr && stream->release != nullptr)
        stream->release(stream);
    delete stream;
}

void* overlane_schema_new(ArrowArrayStream* stream)
{
    auto* schema = new (std::nothrow) ArrowSchema{};
    if (schema != nullptr && stream->get_schema(stream, schema) == 0)
        return schema;
    delete schema;
    return nullptr;
}

void overlane_capsule_reader(void* (*pyCapsuleGetPointer)(void* capsule, const char* name))
{
    g_pyCapsuleGetPointer = pyCapsuleGetPointer;
}

void overlane_capsule_free_stream(void* capsule)
{
    overlane_stream_free(static_cast<ArrowArrayStream*>(g_pyCapsuleGetPointer(capsule, "arrow_array_stream")));
}

void overlane_capsule_free_schema(void* capsule)
{
    auto* schema = static_cast<ArrowSchema*>(g_pyCapsuleGetPointer(capsule, "arrow_schema"));
    if (schema != nullptr && schema->release != nullptr)
        schema->release(schema);
    delete schema;
}
