#include "core/io/overlane_format.h"

#include "core/io/overlane_reader.h"
#include "core/io/overlane_save.h"
#include "core/io/overlane_schema.h"
#include "core/io/sqlite_header.h"

namespace overlane
{
namespace
{

template <typename T>
Result<T> named(const std::string& path, Result<T> result)
{
    if (!result.ok())
        return result.failure().in(path);
    return result;
}

class OverlaneFormat final : public TraceFormat
{
public:
    std::string_view name() const override { return "overlane"; }
    std::string_view description() const override { return "Overlane trace"; }
    std::vector<std::string_view> extensions() const override { return {".overlane"}; }

    bool sniff(std::span<const char> head) const override
    {
        return isSqliteHeader(head) && sqliteApplicationId(head) == kOverlaneApplicationId;
    }

    Result<Trace> read(const std::string& path, Progress& progress) const override
    {
        return named(path, readOverlane(path, progress));
    }

    bool canWrite() const override { return true; }
    Result<void> write(const Trace& trace, const std::string& path, Progress& progress) const override
    {
        RETURN_IF_ERROR(named(path, saveOverlane(trace, path, progress)));
        return {};
    }
};

}  // namespace

const TraceFormat& overlaneFormat()
{
    static const OverlaneFormat format;
    return format;
}

Result<OverlaneSaved> writeOverlane(const Trace& trace, const std::string& path, Progress& progress,
                                    const OverlaneSaveRequest& request)
{
    return named(path, saveOverlane(trace, path, progress, request));
}

}  // namespace overlane
