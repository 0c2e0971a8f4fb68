#include "core/io/kineto_format.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "core/io/chrome_document.h"
#include "core/io/chrome_event.h"
#include "core/io/chrome_writer.h"
#include "core/io/foreign_databases.h"
#include "core/io/kineto_importer.h"
#include "core/io/memory_guard.h"

namespace overlane
{
namespace
{

class KinetoFormat final : public TraceFormat
{
public:
    std::string_view name() const override { return "kineto"; }
    std::string_view description() const override { return "PyTorch profiler (Kineto) or Chrome trace JSON"; }
    std::vector<std::string_view> extensions() const override { return {".json", ".json.gz"}; }
    bool sniff(std::span<const char> head) const override
    {
        std::string_view text(head.data(), head.size());
        if (text.starts_with("\xEF\xBB\xBF"))
            text.remove_prefix(3);
        const auto skipSpace = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size())); };
        skipSpace();
        if (text.empty())
            return false;
        const char open = text.front();
        text.remove_prefix(1);
        skipSpace();
        const char first = text.empty() ? '\0' : text.front();
        return (open == '{' && (first == '"' || first == '}')) || (open == '[' && (first == '{' || first == ']'));
    }
    Result<Trace> read(const std::string& path, Progress& progress) const override
    {
        ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, openByteSource(path, &progress));
        return readKineto(*source, path, progress);
    }
    bool canWrite() const override { return true; }
    std::string_view leavesOut() const override { return kChromeLeavesOut; }
    Result<void> write(const Trace& trace, const std::string& path, Progress& progress) const override
    {
        Result<void> written = writeChrome(trace, path, progress);
        return written.ok() ? std::move(written) : written.failure().in(path);
    }
};

// One read: text to events, events to the importer; counts broken text once per kind, with the first place.
class Reader
{
public:
    Reader(ByteSource& source, const std::string& name, Progress& progress, const MemoryGuard& guard)
        : m_document(source, progress), m_source(source), m_name(name), m_progress(progress), m_guard(guard)
    {
    }
    Result<Trace> read();

private:
    void broken(std::int64_t offset)
    {
        m_firstBroken = m_firstBroken < 0 ? offset : m_firstBroken;
        m_importer.skip("broken_json",
                        fmt::format("events that are no valid JSON, the first at byte {}", m_firstBroken),
                        Severity::Error);
    }
    void finishDamage(bool cut, std::int64_t offset);

    ChromeDocument m_document;
    ByteSource& m_source;
    const std::string& m_name;
    Progress& m_progress;
    const MemoryGuard& m_guard;
    ChromeEventParser m_parser;
    KinetoImporter m_importer;
    std::int64_t m_firstBroken = -1;
};

void Reader::finishDamage(bool cut, std::int64_t offset)
{
    const std::string damage = m_source.damage();
    if (!cut && damage.empty())
        return;
    std::string explanation = fmt::format("the file is cut or damaged at byte {}; what came before is shown", offset);
    if (!damage.empty())
        explanation += fmt::format(" ({})", damage);
    m_importer.stats().add("cut_file", explanation, Severity::Error, 0);
}

Result<Trace> Reader::read()
{
    std::int64_t refills = -1;
    for (;;) {
        ASSIGN_OR_RETURN(const ChromeDocument::Item item, m_document.next());
        if (m_document.refills() != refills) {
            refills = m_document.refills();
            m_progress.report(0.9 * m_source.fraction());
            if (!m_guard.fits(m_importer.heldEvents()))
                return m_guard.tooMany(m_name);
        }
        switch (item.kind) {
            case ChromeDocument::ItemKind::Event:
                if (const ChromeEvent* event = m_parser.parse(item.text))
                    m_importer.add(*event);
                else
                    broken(item.offset);
                break;
            case ChromeDocument::ItemKind::BrokenEvent:
                broken(item.offset);
                break;
            case ChromeDocument::ItemKind::NotAnObject:
                m_importer.skip("not_an_object", "elements of the event list that are no events", Severity::Warning);
                break;
            case ChromeDocument::ItemKind::Property:
                if (const std::string_view foreign = foreignJson(item.key); !foreign.empty())
                    return Error{fmt::format("{} is {}.", m_name, foreign)};
                m_importer.addProperty(item.key, item.text);
                break;
            case ChromeDocument::ItemKind::Bracket:
                break;
            case ChromeDocument::ItemKind::Foreign:
                return Error{
                    fmt::format("{} is no trace: it does not start with '{{' or '[' as trace-event JSON does; choose a "
                                "profiler's JSON file.",
                                m_name)};
            case ChromeDocument::ItemKind::End:
            case ChromeDocument::ItemKind::Cut: {
                const bool cut = item.kind == ChromeDocument::ItemKind::Cut;
                if (!m_document.sawEventList())
                    return Error{
                        fmt::format("{} is JSON, but {} before a \"traceEvents\" list; choose a profiler's "
                                    "trace file.",
                                    m_name, cut ? fmt::format("breaks off at byte {}", item.offset) : "ends")};
                finishDamage(cut, item.offset);
                Trace trace = m_importer.finish(m_name.substr(m_name.rfind('/') + 1), m_progress);
                if (m_progress.cancelled())
                    return Error::cancelled();
                m_progress.report(1.0);
                return trace;
            }
        }
    }
}

}  // namespace

const TraceFormat& kinetoFormat()
{
    static const KinetoFormat format;
    return format;
}

Result<Trace> readKineto(ByteSource& source, const std::string& name, Progress& progress, const MemoryGuard& guard)
{
    return Reader(source, name, progress, guard).read();
}

}  // namespace overlane
