#include "core/lessons/prose.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/lessons/lesson_blocks.h"

namespace overlane
{
std::optional<Prose::Fault> Prose::parse(std::string_view text, const std::set<std::string, std::less<>>& runs,
                                         Prose& prose)
{
    prose = {};
    prose.m_markdown = text;
    std::size_t at = 0;
    const auto fault = [&](std::size_t where, std::string message) {
        const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(where), '\n');
        return Fault{std::move(message), static_cast<int>(line)};
    };
    while (at < text.size()) {
        Piece piece;
        const std::size_t open = text.find("{{", at);
        piece.text = text.substr(at, open == std::string_view::npos ? open : open - at);
        if (open == std::string_view::npos) {
            prose.m_pieces.push_back(std::move(piece));
            break;
        }
        const std::size_t close = text.find("}}", open);
        if (close == std::string_view::npos)
            return fault(open, "A figure begins with '{{' and must end with '}}'.");
        std::string_view inside = text.substr(open + 2, close - open - 2);
        if (const std::size_t bar = inside.rfind('|'); bar != std::string_view::npos) {
            const std::string_view look = trimmedText(inside.substr(bar + 1));
            constexpr std::pair<std::string_view, Look> kLooks[] = {
                {"times", Look::Times}, {"%", Look::Percent}, {"count", Look::Count}};
            const auto* found =
                std::find_if(std::begin(kLooks), std::end(kLooks), [&](const auto& one) { return one.first == look; });
            if (found == std::end(kLooks))
                return fault(open, fmt::format("A figure may be shown as 'times', '%' or 'count', not '{}'.", look));
            piece.look = found->second;
            inside = inside.substr(0, bar);
        }
        auto expression = Expression::parse(trimmedText(inside), runs);
        if (!expression.ok())
            return fault(open, expression.error());
        if (piece.look != Look::OwnUnit && !expression.value().unit().isNumber())
            return fault(open, fmt::format("'{}' is {}, which is not shown as a number.", trimmedText(inside),
                                           unitName(expression.value().unit())));
        piece.figure = std::move(expression).value();
        prose.m_pieces.push_back(std::move(piece));
        at = close + 2;
    }
    return std::nullopt;
}

std::string Prose::shown(double value, const Piece& piece)
{
    switch (piece.look) {
        case Look::Times:
            return figureText(value, kNumberUnit) + " times";
        case Look::Percent:
            return figureText(value, kShareUnit);
        case Look::Count:
            return figureText(std::round(value), kNumberUnit);
        case Look::OwnUnit:
            break;
    }
    return figureText(value, piece.figure->unit());
}

std::string Prose::filled(const FigureSource& source) const
{
    std::string text;
    for (const Piece& piece : m_pieces) {
        text += piece.text;
        if (!piece.figure)
            continue;
        const Result<double> value = piece.figure->evaluate(source);
        text += value.ok() ? shown(value.value(), piece) : fmt::format("(unknown: {})", value.error());
    }
    return text;
}

std::vector<FigureName> Prose::figures() const
{
    std::vector<FigureName> all;
    for (const Piece& piece : m_pieces)
        if (piece.figure)
            all.insert(all.end(), piece.figure->figures().begin(), piece.figure->figures().end());
    return all;
}

std::vector<std::string> Prose::unknown(const FigureSource& source) const
{
    std::vector<std::string> reasons;
    for (const Piece& piece : m_pieces) {
        if (!piece.figure)
            continue;
        const Result<double> value = piece.figure->evaluate(source);
        if (!value.ok() || !std::isfinite(value.value()))
            reasons.push_back(fmt::format("{{{{{}}}}}: {}", piece.figure->text(),
                                          value.ok() ? "not a finite number" : value.error()));
    }
    return reasons;
}

}  // namespace overlane
