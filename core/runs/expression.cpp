#include "core/runs/expression.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/runs/expression_node.h"
#include "core/runs/expression_parser.h"

namespace overlane
{
namespace
{

constexpr std::size_t kLongest = 600;  // characters: a tree of a longer one could exhaust the stack

double applied(Operator operation, const std::vector<double>& values)
{
    const double a = values.front();
    const double b = values.size() > 1 ? values[1] : 0;
    switch (operation) {
        case Operator::Add:
            return a + b;
        case Operator::Subtract:
            return a - b;
        case Operator::Multiply:
            return a * b;
        case Operator::Divide:
            return a / b;
        case Operator::Negate:
            return -a;
        case Operator::Not:
            return a == 0 ? 1 : 0;
        case Operator::And:
            return a != 0 && b != 0 ? 1 : 0;
        case Operator::Or:
            return a != 0 || b != 0 ? 1 : 0;
        case Operator::Less:
            return a < b ? 1 : 0;
        case Operator::LessOrEqual:
            return a <= b ? 1 : 0;
        case Operator::Greater:
            return a > b ? 1 : 0;
        case Operator::GreaterOrEqual:
            return a >= b ? 1 : 0;
        case Operator::Equal:
            return a == b ? 1 : 0;
        case Operator::Unequal:
            return a != b ? 1 : 0;
        case Operator::Minimum:
            return std::min(a, b);
        case Operator::Maximum:
            return std::max(a, b);
        case Operator::Absolute:
            return std::abs(a);
        case Operator::Within:
            return std::abs(a - b) <= std::abs(b) * values[2] ? 1 : 0;
        case Operator::Number:
        case Operator::Figure:
            break;
    }
    return 0;
}

Result<double> valueOf(const Expression::Node& node, const FigureSource& source)
{
    if (node.operation == Operator::Number)
        return node.value;
    if (node.operation == Operator::Figure)
        return source(node.figure);
    std::vector<double> values;
    for (const ExpressionNode& part : node.parts) {
        auto value = valueOf(*part, source);
        if (!value.ok())
            return value;
        values.push_back(value.value());
    }
    return applied(node.operation, values);
}

}  // namespace

Result<Expression> Expression::parse(std::string_view text, const std::set<std::string, std::less<>>& runs)
{
    if (text.size() > kLongest)
        return Error{fmt::format("\"{}...\" is longer than {} characters.", text.substr(0, 40), kLongest)};
    ASSIGN_OR_RETURN(auto parsed, parseExpression(text, runs));
    Expression expression;
    expression.m_text = text;
    expression.m_unit = parsed.root->unit;
    expression.m_root = std::move(parsed.root);
    expression.m_figures = std::move(parsed.figures);
    return expression;
}

Result<double> Expression::evaluate(const FigureSource& source) const
{
    if (!m_root)
        return Error{"there is no expression"};
    return valueOf(*m_root, source);
}

}  // namespace overlane
