#include "core/trace/collective.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>

namespace overlane
{
namespace
{

// In lower case without underscores. The first that the name holds counts, so longer ones come before their parts.
struct KindWord {
    std::string_view word;
    CollectiveKind kind;
};
constexpr std::array<KindWord, 16> kKindWords{{
    {"reducescatter", CollectiveKind::ReduceScatter},
    {"allreduce", CollectiveKind::AllReduce},
    {"allgather", CollectiveKind::AllGather},
    {"alltoall", CollectiveKind::AllToAll},
    {"sendrecv", CollectiveKind::SendReceive},
    {"broadcast", CollectiveKind::Broadcast},
    {"barrier", CollectiveKind::Barrier},
    {"crossdevicereduce", CollectiveKind::AllReduce},
    {"multimemoneshot", CollectiveKind::AllReduce},
    {"scatter", CollectiveKind::Scatter},
    {"gather", CollectiveKind::Gather},
    {"bcast", CollectiveKind::Broadcast},
    {"reduce", CollectiveKind::Reduce},
    {"send", CollectiveKind::SendReceive},
    {"recv", CollectiveKind::SendReceive},
    {"p2p", CollectiveKind::SendReceive},
}};

std::string plain(std::string_view name)
{
    std::string text;
    for (const char letter : name.substr(0, name.find_first_of("(<")))
        if (letter != '_' && letter != '-' && letter != ' ')
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

std::string_view untilFirst(std::string_view& text, char end)
{
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

std::string withoutControls(std::string text)
{
    for (char& letter : text)
        if (static_cast<unsigned char>(letter) < ' ')
            letter = ' ';
    return text;
}

}  // namespace

std::string_view collectiveKindName(CollectiveKind kind)
{
    static constexpr std::array<std::string_view, kCollectiveKindCount> kNames{
        "unknown",    "all-reduce",   "all-gather", "reduce-scatter", "broadcast", "reduce",
        "all-to-all", "send/receive", "barrier",    "gather",         "scatter"};
    return kNames.at(static_cast<std::size_t>(kind));
}

CollectiveKind collectiveKindOf(std::string_view name)
{
    const std::string text = plain(name);
    for (const KindWord& row : kKindWords)
        if (text.find(row.word) != std::string::npos)
            return row.kind;
    return CollectiveKind::Unknown;
}

std::string collectiveGroupsText(const CollectiveGroups& groups)
{
    std::string text;
    for (const auto& [name, group] : groups) {
        text += withoutControls(name) + '\t' + withoutControls(group.description) + '\t';
        for (std::size_t at = 0; at < group.ranks.size(); ++at)
            text += (at == 0 ? "" : ",") + std::to_string(group.ranks[at]);
        text += '\n';
    }
    return text;
}

CollectiveGroups collectiveGroupsOf(std::string_view text)
{
    constexpr std::size_t kMostGroups = 10'000;
    CollectiveGroups groups;
    while (!text.empty() && groups.size() < kMostGroups) {
        std::string_view line = untilFirst(text, '\n');
        const std::string_view name = untilFirst(line, '\t');
        const std::string_view description = untilFirst(line, '\t');
        groups.insert_or_assign(std::string(name), CollectiveGroupInfo{std::string(description), ranksOfText(line)});
    }
    return groups;
}

std::vector<int> ranksOfText(std::string_view text)
{
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
        text = text.substr(1, text.size() - 2);
    std::vector<int> ranks;
    while (!text.empty()) {
        std::string_view word = untilFirst(text, ',');
        while (!word.empty() && word.front() == ' ')
            word.remove_prefix(1);
        int rank = 0;
        const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), rank);
        if (failure != std::errc() || end != word.data() + word.size() || rank < 0 || rank >= kMostRanks)
            return {};
        ranks.push_back(rank);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

}  // namespace overlane
