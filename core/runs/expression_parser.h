// The parser of expressions: from a text to a tree whose units agree.
//
// Pure function, any thread. The grammar is that of core/runs/expression.h.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/runs/expression_node.h"

namespace overlane
{

struct ParsedExpression {
    ExpressionNode root;
    std::vector<FigureName> figures;  // each once, in order of appearance
};

// As Expression::parse().
Result<ParsedExpression> parseExpression(std::string_view text, const std::set<std::string, std::less<>>& runs);

}  // namespace overlane
