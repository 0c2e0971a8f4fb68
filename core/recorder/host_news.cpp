#include "core/recorder/host_news.h"

#include <array>

#include "core/base/process_news.h"

namespace overlane
{
namespace
{

constexpr std::array<const char*, 5> kHostNews{"step", "started", "status", "note", "ended"};

}  // namespace

std::string lineOf(const HostNews& news)
{
    nlohmann::ordered_json line{{"recording", kHostNews[static_cast<std::size_t>(news.kind)]}, {"words", news.words}};
    if (news.kind == HostNews::Kind::Step)
        line["fraction"] = news.fraction;
    if (news.kind == HostNews::Kind::Ended)
        line["files"] = news.files;
    if (news.end) {
        line["exit"] = news.end->exitCode;
        line["signal"] = news.end->signal;
    }
    return jsonLine(line);
}

std::optional<HostNews> parseHostNews(std::string_view line)
{
    const auto read = readJsonLine(line, [](const nlohmann::json& json) {
        const std::string kind = json.at("recording");
        std::size_t at = 0;
        while (at < kHostNews.size() && kind != kHostNews[at])
            ++at;
        HostNews news;
        news.kind = static_cast<HostNews::Kind>(at);
        news.words = json.at("words");
        news.fraction = json.value("fraction", 0.0);
        news.files = json.value("files", std::vector<std::string>());
        if (json.contains("exit"))
            news.end = ProgramEnd{json.at("exit"), json.at("signal")};
        return news;
    });
    return read && static_cast<std::size_t>(read->kind) < kHostNews.size() ? read : std::nullopt;
}

}  // namespace overlane
