#include "core/job/rank_name.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/trace/rank_properties.h"

namespace overlane
{
namespace
{

constexpr int kMostRankInName = 1 << 16;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::string lower(std::string_view text)
{
    std::string made(text);
    for (char& c : made)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return made;
}

std::string_view fileNameOf(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

std::string_view folderNameOf(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : fileNameOf(path.substr(0, slash));
}

std::string_view digitsAt(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    return text.substr(std::min(at, text.size()), end - at);
}

std::optional<int> rankOf(std::string_view digits)
{
    const std::optional<int> number = rankNumber(std::string(digits));
    return number && *number < kMostRankInName ? number : std::nullopt;
}

struct NumberInName {
    int number = 0;
    std::size_t end = 0;
};

// The last number behind a word, with one sign between them at most; the word begins behind no letter.
std::optional<NumberInName> numberBehind(std::string_view name, std::string_view word, bool needsSignBefore = false)
{
    std::optional<NumberInName> last;
    for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
        if (at > 0 && (isLetter(name[at - 1]) || (needsSignBefore && isDigit(name[at - 1]))))
            continue;
        if (needsSignBefore && at == 0)
            continue;
        std::size_t from = at + word.size();
        if (!needsSignBefore && from < name.size() &&
            std::string_view("-_.=").find(name[from]) != std::string_view::npos)
            ++from;
        const std::string_view digits = digitsAt(name, from);
        const std::size_t end = from + digits.size();
        if (const auto number = rankOf(digits); number && (end == name.size() || !isLetter(name[end])))
            last = NumberInName{*number, end};
    }
    return last;
}

// "_of_8", "of8" behind a rank.
std::optional<int> sizeBehind(std::string_view name, std::size_t at)
{
    const auto skipSign = [&] {
        if (at < name.size() && (name[at] == '_' || name[at] == '-' || name[at] == '.'))
            ++at;
    };
    skipSign();
    if (!name.substr(std::min(at, name.size())).starts_with("of"))
        return {};
    at += 2;
    skipSign();
    return rankOf(digitsAt(name, at));
}

RankIdentity identityIn(const std::string& name)
{
    RankIdentity made;
    std::string rest = name;
    for (const std::string_view local : {"local_rank", "localrank", "local-rank"}) {
        const std::size_t at = rest.find(local);
        if (at == std::string::npos)
            continue;
        if (const auto found = numberBehind(std::string_view(rest).substr(at), local))
            made.localRank = found->number;
        rest.replace(at, local.size(), local.size(), '#');
    }
    std::optional<NumberInName> found;
    for (const auto& [word, needsSign] : {std::pair("rank", false), {"worker", false}, {"r", true}, {"gpu", false}})
        if (found = numberBehind(rest, word, needsSign); found)
            break;
    if (!found)
        return made;
    made.rank = found->number;
    made.worldSize = sizeBehind(rest, found->end);
    if (made.worldSize && *made.worldSize <= *made.rank)
        made.worldSize.reset();
    made.source = "file name";
    return made;
}

// "node1_4242.1694128201545.pt.trace.json": of the handler that names files by host and process.
std::string hostIn(std::string_view name)
{
    const std::size_t trace = name.find(".pt.trace.json");
    if (trace == std::string_view::npos)
        return {};
    const std::size_t dot = name.substr(0, trace).find('.');
    const std::size_t line = name.substr(0, dot).rfind('_');
    constexpr std::size_t kDigitsOfTime = 10;
    if (dot == std::string_view::npos || line == std::string_view::npos || line == 0 || line + 1 == dot ||
        digitsAt(name, line + 1).size() != dot - line - 1 || digitsAt(name, dot + 1).size() < kDigitsOfTime)
        return {};
    return std::string(name.substr(0, line));
}

std::string_view lastNumber(std::string_view name)
{
    std::size_t end = name.size();
    // Behind the number are extensions only, which may hold digits themselves: "trace_3.sqlite3".
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1))
        if (dot + 1 < name.size() && isLetter(name[dot + 1])) {
            end = dot;
            break;
        }
    while (end > 0 && !isDigit(name[end - 1]))
        --end;
    std::size_t first = end;
    while (first > 0 && isDigit(name[first - 1]))
        --first;
    return name.substr(first, end - first);
}

}  // namespace

RankIdentity identityOfName(std::string_view path)
{
    RankIdentity made = identityIn(lower(fileNameOf(path)));
    if (!made.rank && !made.localRank)
        made = identityIn(lower(folderNameOf(path)));
    if (!made.rank)
        made.host = hostIn(fileNameOf(path));
    return made;
}

std::vector<int> ranksByNumber(const std::vector<std::string_view>& names)
{
    std::vector<int> ranks;
    std::set<int> seen;
    for (const std::string_view name : names) {
        const auto rank = rankOf(lastNumber(fileNameOf(name)));
        if (!rank || !seen.insert(*rank).second)
            return {};
        ranks.push_back(*rank);
    }
    // A number of three ranks is no thousand: those are times, sizes, processes.
    const auto most = seen.empty() ? 0 : *seen.rbegin();
    constexpr std::size_t kSparse = 4;
    return names.size() < 2 || static_cast<std::size_t>(most) > names.size() * kSparse ? std::vector<int>() : ranks;
}

bool naturallyLess(std::string_view a, std::string_view b)
{
    std::size_t i = 0, k = 0;
    while (i < a.size() && k < b.size()) {
        if (isDigit(a[i]) && isDigit(b[k])) {
            std::string_view left = digitsAt(a, i), right = digitsAt(b, k);
            i += left.size();
            k += right.size();
            left.remove_prefix(std::min(left.find_first_not_of('0'), left.size()));
            right.remove_prefix(std::min(right.find_first_not_of('0'), right.size()));
            if (left.size() != right.size())
                return left.size() < right.size();
            if (left != right)
                return left < right;
        } else if (a[i] != b[k]) {
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[k]);
        } else {
            ++i;
            ++k;
        }
    }
    return a.size() - i != b.size() - k ? a.size() - i < b.size() - k : a < b;
}

}  // namespace overlane
