#include "core/io/format.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <new>

#include "core/io/byte_source.h"
#include "core/io/kineto_format.h"
#include "core/io/nsys_format.h"
#include "core/io/overlane_format.h"
#include "core/io/overlane_schema.h"
#include "core/io/sqlite_header.h"

namespace overlane
{
namespace
{

constexpr std::size_t kHeadBytes = std::size_t{64} << 10;

Result<std::vector<char>> readHead(const std::string& path, const Progress& progress)
{
    ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, openByteSourceInline(path, &progress));
    std::vector<char> head(kHeadBytes);
    ASSIGN_OR_RETURN(const std::size_t count, source->read(head));
    if (count == 0)
        return Error{fmt::format("{} holds nothing that can be decompressed; copy or record the trace again.", path)};
    head.resize(count);
    return head;
}

std::string knownFormats()
{
    std::string text;
    for (const TraceFormat* format : allFormats())
        text += fmt::format("{}{}", text.empty() ? "" : ", ", format->description());
    return text;
}

// ".overlane, .json or .json.gz"
std::string written()
{
    std::vector<std::string_view> extensions;
    for (const TraceFormat* format : allFormats())
        if (format->canWrite())
            for (const std::string_view extension : format->extensions())
                extensions.push_back(extension);
    std::string text(extensions.back());
    extensions.pop_back();
    return fmt::format("{} or {}", fmt::join(extensions, ", "), text);
}

bool endsWith(std::string_view name, std::string_view extension)
{
    return name.size() > extension.size() && name.ends_with(extension);
}

}  // namespace

std::span<const TraceFormat* const> allFormats()
{
    static const std::array formats{&overlaneFormat(), &nsysFormat(), &kinetoFormat()};
    return formats;
}

bool isTraceFile(const std::string& path, const Progress& progress)
{
    const Result<std::vector<char>> head = readHead(path, progress);
    const auto knows = [&](const TraceFormat* format) { return format->sniff(head.value()); };
    return head.ok() && std::any_of(allFormats().begin(), allFormats().end(), knows);
}

std::vector<std::string_view> traceExtensions()
{
    std::vector<std::string_view> all;
    for (const TraceFormat* format : allFormats())
        for (const std::string_view extension : format->extensions())
            all.push_back(extension);
    return all;
}

Result<Trace> readTrace(const std::string& path, Progress& progress)
{
    try {
        ASSIGN_OR_RETURN(const std::vector<char> head, readHead(path, progress));
        for (const TraceFormat* format : allFormats()) {
            if (!format->sniff(head))
                continue;
            return format->read(path, progress);
        }
        if (isSqliteHeader(head) && sqliteApplicationId(head) == kOverlaneTablesApplicationId)
            return Error{
                fmt::format("{} holds tables of a trace, written for other programs by `overlane convert`; open the "
                            "trace that they are of, which its table meta names.",
                            path)};
        if (std::string_view(head.data(), head.size()).starts_with(kDigestLetters))
            return Error{
                fmt::format("{} is the digest of a rank, without its events; `overlane job {}` shows it.", path, path)};
        if (isNsysReport(path))
            return nsysFormat().read(path, progress);  // says how to export one
        return Error{fmt::format("{} is of no known format; Overlane reads: {}.", path, knownFormats())};
    } catch (const std::bad_alloc&) {
        return Error{
            fmt::format("There is not enough memory to open {}; close other programs or record a shorter "
                        "time.",
                        path)};
    }
}

std::string damageOf(const Trace& trace)
{
    std::string text;
    for (const ImportStat& stat : trace.stats().all())
        if (stat.severity == Severity::Error)
            text += (text.empty() ? "" : "; ") + stat.explanation;
    return text;
}

const TraceFormat* formatToWrite(const std::string& path)
{
    const std::string name = std::filesystem::path(path).filename().string();
    const bool hasExtension = name.find_last_of('.') != std::string::npos && name.find_last_of('.') != 0;
    if (!hasExtension)
        return &overlaneFormat();
    for (const TraceFormat* format : allFormats())
        for (const std::string_view extension : format->extensions())
            if (format->canWrite() && endsWith(name, extension))
                return format;
    return nullptr;
}

Result<void> writeTrace(const Trace& trace, const std::string& path, Progress& progress)
{
    if (const TraceFormat* format = formatToWrite(path))
        return format->write(trace, path, progress);
    return Error{fmt::format("{} has an extension that Overlane cannot write; save it as {}.", path, written())};
}

Result<void> TraceFormat::write(const Trace& /*trace*/, const std::string& path, Progress& /*progress*/) const
{
    return Error{fmt::format("{} was not written: {} can only be read; save it as .overlane.", path, description())};
}

}  // namespace overlane
