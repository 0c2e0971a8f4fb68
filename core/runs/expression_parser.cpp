#include "core/runs/expression_parser.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/runs/expression_scanner.h"
#include "core/runs/figures.h"

namespace overlane
{
namespace
{

using Node = Expression::Node;
using NodePointer = ExpressionNode;
using RunNames = std::set<std::string, std::less<>>;

constexpr int kDeepest = 40;

struct Comparison {
    std::string_view sign;
    Operator operation;
};
constexpr Comparison kComparisons[] = {
    {"<=", Operator::LessOrEqual}, {">=", Operator::GreaterOrEqual}, {"==", Operator::Equal}, {"!=", Operator::Unequal},
    {"<", Operator::Less},         {">", Operator::Greater},
};

// A recursive descent over the text; the first fault ends it.
class Descent
{
public:
    Descent(std::string_view text, const RunNames& runs) : m_scanner(text), m_runs(runs) {}

    NodePointer whole()
    {
        NodePointer node = either();
        if (node && !m_scanner.rest().empty())
            return fault(fmt::format("'{}' is left over", m_scanner.rest()));
        return node;
    }
    const std::string& error() const { return m_error; }
    std::vector<FigureName>& figures() { return m_figures; }

private:
    NodePointer fault(std::string message)
    {
        if (m_error.empty())
            m_error = std::move(message);
        return nullptr;
    }

    static NodePointer node(Operator operation, const FigureUnit& unit, std::vector<NodePointer> parts)
    {
        return std::make_shared<const Node>(Node{operation, unit, 0, {}, std::move(parts)});
    }

    NodePointer either() { return chain("or", Operator::Or, &Descent::both); }
    NodePointer both() { return chain("and", Operator::And, &Descent::inverse); }

    NodePointer chain(std::string_view sign, Operator operation, NodePointer (Descent::*part)())
    {
        NodePointer left = (this->*part)();
        while (left && m_scanner.takeWord(sign)) {
            const NodePointer right = (this->*part)();
            if (!right)
                return nullptr;
            if (!left->unit.truth || !right->unit.truth)
                return fault(fmt::format("'{}' joins comparisons, not {}", sign,
                                         unitName(left->unit.truth ? right->unit : left->unit)));
            left = node(operation, kTruthUnit, {left, right});
        }
        return left;
    }

    NodePointer inverse()
    {
        if (!m_scanner.takeWord("not"))
            return comparison();
        if (++m_depth > kDeepest)
            return fault("it is nested too deeply");
        const NodePointer part = inverse();
        --m_depth;
        if (!part)
            return nullptr;
        if (!part->unit.truth)
            return fault(fmt::format("'not' needs a comparison, not {}", unitName(part->unit)));
        return node(Operator::Not, kTruthUnit, {part});
    }

    const Comparison* comparisonSign()
    {
        for (const Comparison& comparison : kComparisons)
            if (m_scanner.take(comparison.sign))
                return &comparison;
        return nullptr;
    }

    // a < b <= c means a < b and b <= c.
    NodePointer comparison()
    {
        NodePointer left = sum();
        NodePointer all;
        while (left) {
            const Comparison* sign = comparisonSign();
            if (sign == nullptr)
                return all ? all : left;
            const NodePointer right = sum();
            if (!right)
                return nullptr;
            if (!left->unit.sameAs(right->unit) || left->unit.truth)
                return fault(
                    fmt::format("'{}' compares {} with {}", sign->sign, unitName(left->unit), unitName(right->unit)));
            const NodePointer one = node(sign->operation, kTruthUnit, {left, right});
            all = all ? node(Operator::And, kTruthUnit, {all, one}) : one;
            left = right;
        }
        return nullptr;
    }

    NodePointer sum()
    {
        NodePointer left = product();
        while (left) {
            const bool adds = m_scanner.take("+");
            if (!adds && !m_scanner.take("-"))
                return left;
            const NodePointer right = product();
            if (!right)
                return nullptr;
            if (!left->unit.sameAs(right->unit) || left->unit.truth)
                return fault(
                    fmt::format("'{}' joins {} and {}", adds ? '+' : '-', unitName(left->unit), unitName(right->unit)));
            FigureUnit unit = left->unit;
            unit.share = left->unit.share && right->unit.share;
            left = node(adds ? Operator::Add : Operator::Subtract, unit, {left, right});
        }
        return nullptr;
    }

    NodePointer product()
    {
        NodePointer left = unary();
        while (left) {
            const bool multiplies = m_scanner.take("*");
            if (!multiplies && !m_scanner.take("/"))
                return left;
            const NodePointer right = unary();
            if (!right)
                return nullptr;
            if (left->unit.truth || right->unit.truth)
                return fault(fmt::format("'{}' needs figures on both sides", multiplies ? '*' : '/'));
            const int sign = multiplies ? 1 : -1;
            const FigureUnit unit{.time = left->unit.time + sign * right->unit.time,
                                  .bytes = left->unit.bytes + sign * right->unit.bytes};
            if (std::abs(unit.time) > 9 || std::abs(unit.bytes) > 9)
                return fault("the unit of a product has too high a power");
            left = node(multiplies ? Operator::Multiply : Operator::Divide, unit, {left, right});
        }
        return nullptr;
    }

    NodePointer unary()
    {
        if (!m_scanner.take("-"))
            return primary();
        if (++m_depth > kDeepest)
            return fault("it is nested too deeply");
        const NodePointer part = unary();
        --m_depth;
        if (!part)
            return nullptr;
        if (part->unit.truth)
            return fault("'-' needs a figure, not a comparison");
        return node(Operator::Negate, part->unit, {part});
    }

    NodePointer primary()
    {
        if (m_scanner.rest().empty())
            return fault("it ends where a figure is expected");
        if (m_scanner.take("(")) {
            if (++m_depth > kDeepest)
                return fault("it is nested too deeply");
            NodePointer inner = either();
            --m_depth;
            if (inner && !m_scanner.take(")"))
                return fault("a ')' is missing");
            return inner;
        }
        if (std::isdigit(static_cast<unsigned char>(m_scanner.rest().front())) != 0)
            return number();
        const std::string_view first = m_scanner.word();
        if (first.empty())
            return fault(fmt::format("a figure is expected where '{}' stands", m_scanner.rest()));
        if (m_scanner.take("."))
            return figure(first, m_scanner.word());
        if (m_scanner.rest().starts_with('('))
            return function(first);
        return figure("", first);
    }

    NodePointer number()
    {
        const std::string_view left = m_scanner.rest();
        const auto quantity = m_scanner.quantity();
        if (!quantity)
            return fault(fmt::format("'{}' is no number", left));
        return std::make_shared<const Node>(Node{Operator::Number, quantity->unit, quantity->value, {}, {}});
    }

    NodePointer figure(std::string_view run, std::string_view name)
    {
        if (!m_runs.contains(run)) {
            std::vector<std::string> known;
            for (const std::string& one : m_runs)
                if (!one.empty())
                    known.push_back(one);
            if (run.empty())
                return fault(fmt::format("'{}' does not say of which run; write {}.{}", name,
                                         known.empty() ? "A" : known.front(), name));
            return fault(fmt::format("there is no run '{}' here; the runs are {}", run, fmt::join(known, ", ")));
        }
        const auto found = findFigure(run == kDeviceRun, name);
        if (!found.ok())
            return fault(found.error());
        Node made{Operator::Figure, found.value().unit, 0, {std::string(run), std::string(name)}, {}};
        if (found.value().takesBytes) {
            const NodePointer size = m_scanner.take("(") ? number() : nullptr;
            if (!size || !size->unit.sameAs(kSizeUnit) || !m_scanner.take(")"))
                return fault(fmt::format("'{}.{}' needs a size, as in {}.{}(64 MiB)", run, name, run, name));
            made.figure.hasArgument = true;
            made.figure.argument = size->value;
        }
        const auto known = [&](const FigureName& other) {
            return other.run == made.figure.run && other.figure == made.figure.figure &&
                   other.argument == made.figure.argument;
        };
        bool listed = false;
        for (const FigureName& other : m_figures)
            listed = listed || known(other);
        if (!listed)
            m_figures.push_back(made.figure);
        return std::make_shared<const Node>(std::move(made));
    }

    NodePointer function(std::string_view name)
    {
        struct Function {
            std::string_view name;
            Operator operation;
            std::size_t arguments;
        };
        constexpr std::array<Function, 4> kFunctions{{{"min", Operator::Minimum, 2},
                                                      {"max", Operator::Maximum, 2},
                                                      {"abs", Operator::Absolute, 1},
                                                      {"within", Operator::Within, 3}}};
        const Function* chosen = nullptr;
        for (const Function& function : kFunctions)
            if (function.name == name)
                chosen = &function;
        if (chosen == nullptr)
            return fault(fmt::format("there is no function '{}'; there are min, max, abs and within", name));
        m_scanner.take("(");
        if (++m_depth > kDeepest)
            return fault("it is nested too deeply");
        std::vector<NodePointer> parts;
        do {
            parts.push_back(sum());
            if (!parts.back())
                return nullptr;
        } while (m_scanner.take(","));
        --m_depth;
        if (!m_scanner.take(")"))
            return fault(fmt::format("a ')' is missing behind '{}('", name));
        if (parts.size() != chosen->arguments)
            return fault(fmt::format("'{}' takes {} figures, not {}", name, chosen->arguments, parts.size()));
        if (parts.front()->unit.truth || (parts.size() > 1 && !parts[0]->unit.sameAs(parts[1]->unit)))
            return fault(fmt::format("the figures of '{}' are {} and {}", name, unitName(parts.front()->unit),
                                     unitName(parts.back()->unit)));
        const bool within = chosen->operation == Operator::Within;
        if (within && !parts[2]->unit.isNumber())
            return fault(
                fmt::format("the tolerance of 'within' is {}; write a share, as in 10 %", unitName(parts[2]->unit)));
        const FigureUnit unit = within ? kTruthUnit : parts.front()->unit;
        return node(chosen->operation, unit, std::move(parts));
    }

    ExpressionScanner m_scanner;
    const RunNames& m_runs;
    int m_depth = 0;
    std::string m_error;
    std::vector<FigureName> m_figures;
};

}  // namespace

Result<ParsedExpression> parseExpression(std::string_view text, const std::set<std::string, std::less<>>& runs)
{
    Descent descent(text, runs);
    NodePointer root = descent.whole();
    if (!root)
        return Error{fmt::format("\"{}\": {}.", text, descent.error())};
    return ParsedExpression{std::move(root), std::move(descent.figures())};
}

}  // namespace overlane
