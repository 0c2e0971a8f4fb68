#include "core/lab/expression.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "core/lab/figures.h"

namespace overlane
{

enum class Operator : std::uint8_t {
    Number,
    Figure,
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Not,
    And,
    Or,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
    Minimum,
    Maximum,
    Absolute,
    Within,
};

struct Expression::Node {
    Operator operation = Operator::Number;
    FigureUnit unit;
    double value = 0;
    FigureName figure;
    std::vector<std::shared_ptr<const Node>> parts;
};

namespace
{

using Node = Expression::Node;
using NodePointer = std::shared_ptr<const Node>;

constexpr int kDeepest = 40;
constexpr std::size_t kLongest = 600;  // characters: a tree of a longer one could exhaust the stack
constexpr double kKiB = 1024;

struct UnitWord {
    std::string_view word;
    double factor;
    FigureUnit unit;
};
// Rates before sizes: the longest word wins.
constexpr UnitWord kUnitWords[] = {
    {"GB/s", 1, kRateUnit},
    {"MB/s", 1e-3, kRateUnit},
    {"TiB", kKiB* kKiB* kKiB* kKiB, kSizeUnit},
    {"GiB", kKiB* kKiB* kKiB, kSizeUnit},
    {"MiB", kKiB* kKiB, kSizeUnit},
    {"KiB", kKiB, kSizeUnit},
    {"TB", 1e12, kSizeUnit},
    {"GB", 1e9, kSizeUnit},
    {"MB", 1e6, kSizeUnit},
    {"kB", 1e3, kSizeUnit},
    {"ns", 1, kTimeUnit},
    {"us", 1e3, kTimeUnit},
    {"ms", 1e6, kTimeUnit},
    {"s", 1e9, kTimeUnit},
    {"B", 1, kSizeUnit},
    {"%", 0.01, kShareUnit},
};

struct Comparison {
    std::string_view sign;
    Operator operation;
};
constexpr Comparison kComparisons[] = {
    {"<=", Operator::LessOrEqual}, {">=", Operator::GreaterOrEqual}, {"==", Operator::Equal}, {"!=", Operator::Unequal},
    {"<", Operator::Less},         {">", Operator::Greater},
};

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// A recursive descent over the text; the first fault ends it.
class Parser
{
public:
    Parser(std::string_view text, const std::set<std::string, std::less<>>& runs) : m_text(text), m_runs(runs) {}

    NodePointer whole()
    {
        NodePointer node = either();
        skipSpace();
        if (node && m_at < m_text.size())
            return fault(fmt::format("'{}' is left over", m_text.substr(m_at)));
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

    void skipSpace()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
            ++m_at;
    }
    bool take(std::string_view sign)
    {
        skipSpace();
        if (!m_text.substr(m_at).starts_with(sign))
            return false;
        m_at += sign.size();
        return true;
    }
    bool takeWord(std::string_view word)
    {
        skipSpace();
        const std::size_t end = m_at + word.size();
        if (!m_text.substr(m_at).starts_with(word) || (end < m_text.size() && isWordCharacter(m_text[end])))
            return false;
        m_at = end;
        return true;
    }
    std::string_view word()
    {
        skipSpace();
        const std::size_t start = m_at;
        while (m_at < m_text.size() && isWordCharacter(m_text[m_at]))
            ++m_at;
        return m_text.substr(start, m_at - start);
    }

    static NodePointer node(Operator operation, const FigureUnit& unit, std::vector<NodePointer> parts)
    {
        return std::make_shared<const Node>(Node{operation, unit, 0, {}, std::move(parts)});
    }

    NodePointer either() { return chain("or", Operator::Or, &Parser::both); }
    NodePointer both() { return chain("and", Operator::And, &Parser::inverse); }

    NodePointer chain(std::string_view sign, Operator operation, NodePointer (Parser::*part)())
    {
        NodePointer left = (this->*part)();
        while (left && takeWord(sign)) {
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
        if (!takeWord("not"))
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
            if (take(comparison.sign))
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
            const bool adds = take("+");
            if (!adds && !take("-"))
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
            const bool multiplies = take("*");
            if (!multiplies && !take("/"))
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
        if (!take("-"))
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
        skipSpace();
        if (m_at == m_text.size())
            return fault("it ends where a figure is expected");
        if (take("(")) {
            if (++m_depth > kDeepest)
                return fault("it is nested too deeply");
            NodePointer inner = either();
            --m_depth;
            if (inner && !take(")"))
                return fault("a ')' is missing");
            return inner;
        }
        if (std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0)
            return number();
        const std::string_view first = word();
        if (first.empty())
            return fault(fmt::format("a figure is expected where '{}' stands", m_text.substr(m_at)));
        if (take("."))
            return figure(first, word());
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == '(')
            return function(first);
        return figure("", first);
    }

    NodePointer number()
    {
        Node made;
        const auto [end, code] =
            std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), made.value, std::chars_format::fixed);
        if (code != std::errc() || !std::isfinite(made.value))
            return fault(fmt::format("'{}' is no number", m_text.substr(m_at)));
        m_at = static_cast<std::size_t>(end - m_text.data());
        skipSpace();
        for (const UnitWord& unit : kUnitWords) {
            const std::size_t behind = m_at + unit.word.size();
            if (!m_text.substr(m_at).starts_with(unit.word) ||
                (behind < m_text.size() && unit.word != "%" && isWordCharacter(m_text[behind])))
                continue;
            m_at = behind;
            made.value *= unit.factor;
            made.unit = unit.unit;
            break;
        }
        return std::make_shared<const Node>(std::move(made));
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
            const NodePointer size = take("(") ? number() : nullptr;
            if (!size || !size->unit.sameAs(kSizeUnit) || !take(")"))
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
        take("(");
        if (++m_depth > kDeepest)
            return fault("it is nested too deeply");
        std::vector<NodePointer> parts;
        do {
            parts.push_back(sum());
            if (!parts.back())
                return nullptr;
        } while (take(","));
        --m_depth;
        if (!take(")"))
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

    std::string_view m_text;
    const std::set<std::string, std::less<>>& m_runs;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::string m_error;
    std::vector<FigureName> m_figures;
};

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

Result<double> valueOf(const Node& node, const FigureSource& source)
{
    if (node.operation == Operator::Number)
        return node.value;
    if (node.operation == Operator::Figure)
        return source(node.figure);
    std::vector<double> values;
    for (const NodePointer& part : node.parts) {
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
    Parser parser(text, runs);
    NodePointer root = parser.whole();
    if (!root)
        return Error{fmt::format("\"{}\": {}.", text, parser.error())};
    Expression expression;
    expression.m_text = text;
    expression.m_unit = root->unit;
    expression.m_root = std::move(root);
    expression.m_figures = std::move(parser.figures());
    return expression;
}

Result<double> Expression::evaluate(const FigureSource& source) const
{
    if (!m_root)
        return Error{"there is no expression"};
    return valueOf(*m_root, source);
}

}  // namespace overlane
