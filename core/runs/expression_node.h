// ExpressionNode: an expression as a tree: what the parser makes and evaluation walks.
//
// Immutable once made; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/runs/expression.h"

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

using ExpressionNode = std::shared_ptr<const Expression::Node>;

}  // namespace overlane
