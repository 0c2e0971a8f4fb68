#include "core/remote/remote_frames.h"

#include <array>

#include "core/base/process_news.h"

namespace overlane
{
namespace
{

constexpr std::array<const char*, 5> kKinds{"output", "errors", "status", "ended", "lost"};
constexpr std::size_t kMostHeadBytes = 200;
constexpr std::size_t kMostBytes = 1 << 24;

struct Head {
    RemoteFrame frame;
    std::size_t bytes = 0;
};

std::optional<Head> parseHead(std::string_view line)
{
    const auto head = readJsonLine(line, [](const nlohmann::json& json) {
        const std::string kind = json.at("kind");
        Head read;
        std::size_t at = 0;
        while (at < kKinds.size() && kind != kKinds[at])
            ++at;
        read.bytes = at < kKinds.size() ? json.at("bytes").get<std::size_t>() : kMostBytes + 1;
        read.frame.kind = static_cast<RemoteFrame::Kind>(at);
        read.frame.end = {json.value("exit", 0), json.value("signal", 0)};
        return read;
    });
    return head && head->bytes <= kMostBytes ? head : std::nullopt;
}

}  // namespace

std::string bytesOf(const RemoteFrame& frame)
{
    nlohmann::ordered_json head{{"kind", kKinds[static_cast<std::size_t>(frame.kind)]}, {"bytes", frame.text.size()}};
    if (frame.kind == RemoteFrame::Kind::Ended) {
        head["exit"] = frame.end.exitCode;
        head["signal"] = frame.end.signal;
    }
    return jsonLine(head) + frame.text;
}

Result<std::optional<RemoteFrame>> FrameReader::next()
{
    const std::size_t end = m_bytes.find('\n');
    const std::optional<RemoteFrame> none;
    if (end == std::string::npos && m_bytes.size() <= kMostHeadBytes)
        return none;
    auto head = end == std::string::npos ? std::nullopt : parseHead(std::string_view(m_bytes).substr(0, end));
    if (!head)
        return Error{"the recorder there answered in another form."};
    if (m_bytes.size() - end - 1 < head->bytes)
        return none;
    head->frame.text = m_bytes.substr(end + 1, head->bytes);
    m_bytes.erase(0, end + 1 + head->bytes);
    return std::optional(std::move(head->frame));
}

}  // namespace overlane
