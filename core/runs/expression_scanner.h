// ExpressionScanner: the words of an expression's text: signs, names, numbers with their units.
//
// A position in a text that must outlive it; one thread. What it takes it steps over, space before it included.
#pragma once

#include <optional>
#include <string_view>

#include "core/runs/figure_unit.h"

namespace overlane
{

class ExpressionScanner
{
public:
    explicit ExpressionScanner(std::string_view text) : m_text(text) {}

    // What is left, without the space in front.
    std::string_view rest();
    bool take(std::string_view sign);
    // Not where a longer word begins so.
    bool takeWord(std::string_view word);
    // Letters, digits and '_'; empty where there are none.
    std::string_view word();

    struct Quantity {
        double value = 0;  // in the units of core/runs/figure_unit.h
        FigureUnit unit;
    };
    // "2.5 ms", "64 KiB", "90 %", "3"; none where no number begins, or one too large.
    std::optional<Quantity> quantity();

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

}  // namespace overlane
