// Prose: Markdown text of a lesson with figures that the program fills in, "{{B.step / A.step}}".
//
// Immutable value, any thread. A figure is an expression (core/runs/expression.h), shown in its own
// unit or as "{{... | times}}" (2.3 times), "{{... | %}}", "{{... | count}}".
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/runs/expression.h"

namespace overlane
{

class Prose
{
public:
    Prose() = default;
    // `runs` as for Expression::parse(). The Error names what is wrong; `lines` in the text before it
    // tell where.
    struct Fault {
        std::string message;
        int line = 0;  // from 0, within the text
    };
    static std::optional<Fault> parse(std::string_view text, const std::set<std::string, std::less<>>& runs,
                                      Prose& prose);

    bool empty() const { return m_pieces.empty(); }
    // The Markdown with every figure filled in; "(unknown: why)" where the runs do not tell.
    std::string filled(const FigureSource& source) const;
    // The figures that the runs do not tell, with the reason.
    std::vector<std::string> unknown(const FigureSource& source) const;
    std::vector<FigureName> figures() const;
    const std::string& markdown() const { return m_markdown; }  // with its placeholders

private:
    enum class Look : std::uint8_t { OwnUnit, Times, Percent, Count };
    struct Piece {
        std::string text;                  // before the figure
        std::optional<Expression> figure;  // none in the last piece
        Look look = Look::OwnUnit;
    };
    static std::string shown(double value, const Piece& piece);

    std::string m_markdown;
    std::vector<Piece> m_pieces;
};

}  // namespace overlane
