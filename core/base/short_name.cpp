#include "core/base/short_name.h"

#include <cctype>
#include <optional>

namespace overlane
{
namespace
{

bool isNameCharacter(char character)
{
    return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' || character == '$';
}

// "file.py(12): function".
std::optional<std::string> pythonFunction(std::string_view name)
{
    const std::size_t mark = name.find("): ");
    if (mark == std::string_view::npos)
        return {};
    const std::size_t open = name.rfind('(', mark);
    if (open == std::string_view::npos || open + 1 == mark)
        return {};
    for (const char digit : name.substr(open + 1, mark - open - 1))
        if (std::isdigit(static_cast<unsigned char>(digit)) == 0)
            return {};
    const std::string_view function = name.substr(mark + 3);
    return function.empty() ? std::nullopt : std::optional(std::string(function));
}

// "<built-in method resize of ImagingCore object at 0x7f01>", "<built-in function len>".
std::optional<std::string> builtInFunction(std::string_view name)
{
    if (!name.starts_with("<built-in ") || !name.ends_with('>'))
        return {};
    std::string_view rest = name.substr(sizeof("<built-in ") - 1);
    rest.remove_suffix(1);
    for (const std::string_view kind : {"method ", "function "})
        if (rest.starts_with(kind))
            rest.remove_prefix(kind.size());
    rest = rest.substr(0, rest.find(" of "));
    return rest.empty() ? std::nullopt : std::optional(std::string(rest));
}

// "zoom_shift (loader.py:84)".
std::optional<std::string> sampledFunction(std::string_view name)
{
    const std::size_t open = name.rfind(" (");
    const std::size_t colon = name.rfind(':');
    if (open == std::string_view::npos || open == 0 || !name.ends_with(')') || colon == std::string_view::npos ||
        colon < open)
        return {};
    for (const char digit : name.substr(colon + 1, name.size() - colon - 2))
        if (std::isdigit(static_cast<unsigned char>(digit)) == 0)
            return {};
    return std::string(name.substr(0, open));
}

// Up to the parenthesis that opens the parameters: one outside of all angle brackets.
std::string_view withoutParameters(std::string_view name)
{
    constexpr std::string_view kNameless = "(anonymous namespace)";
    int depth = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name.substr(at).starts_with(kNameless))
            at += kNameless.size() - 1;
        else if (name[at] == '<')
            ++depth;
        else if (name[at] == '>')
            --depth;
        else if (name[at] == '(' && depth == 0 && at > 0)
            return name.substr(0, at);
    }
    return name;
}

// A return type stands before the first space outside of all brackets, unless that is the end.
std::string_view withoutReturnType(std::string_view name)
{
    int depth = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name[at] == '<' || name[at] == '(')
            ++depth;
        else if (name[at] == '>' || name[at] == ')')
            --depth;
        else if (name[at] == ' ' && depth == 0 && at + 1 < name.size())
            return name.substr(at + 1);
    }
    return name;
}

// The end of a template's argument that goes on from here: the comma or bracket behind it.
std::size_t endOfArgument(std::string_view name, std::size_t at)
{
    int depth = 0;
    for (; at < name.size(); ++at) {
        const char character = name[at];
        if (depth == 0 && (character == ',' || character == '>'))
            return at;
        if (character == '(' || character == '<' || character == '{')
            ++depth;
        else if (character == ')' || character == '>' || character == '}')
            --depth;
    }
    return at;
}

// A function in a template's arguments goes without its parameters and the lambdas inside it, too.
std::string withoutNamespaces(std::string_view name)
{
    constexpr std::string_view kNameless = "(anonymous namespace)::";
    std::string kept;
    std::size_t word = 0;  // where the word under way begins in `kept`
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name.substr(at).starts_with(kNameless)) {
            at += kNameless.size() - 1;
        } else if (name.substr(at).starts_with("::")) {
            if (kept.ends_with('>'))
                kept += "::";
            else
                kept.resize(word);
            word = kept.size();
            ++at;
        } else if (name[at] == '(') {
            at = endOfArgument(name, at) - 1;
        } else {
            kept += name[at];
            if (!isNameCharacter(name[at]))
                word = kept.size();
        }
    }
    return kept;
}

// "nn.Module: Linear_12", "autograd::engine::evaluate_function: SumBackward0".
std::optional<std::string> framedName(std::string_view name)
{
    for (const std::string_view frame : {"nn.Module: ", "autograd::engine::evaluate_function: "})
        if (name.starts_with(frame) && name.size() > frame.size())
            return std::string(name.substr(frame.size()));
    return {};
}

// More than a qualified name, which is short already: "aten::mm".
bool isFunction(std::string_view name)
{
    return name.starts_with("void ") ||
           (name.find("::") != std::string_view::npos && name.find_first_of("<(") != std::string_view::npos);
}

}  // namespace

std::string shortName(std::string_view name)
{
    for (const auto reading : {framedName, pythonFunction, builtInFunction, sampledFunction})
        if (std::optional<std::string> found = reading(name))
            return *std::move(found);
    if (!isFunction(name))
        return std::string(name);
    std::string found = withoutNamespaces(withoutReturnType(withoutParameters(name)));
    // "at::native::Lambda::" or "::" leave nothing: then the whole says more.
    return found.empty() ? std::string(name) : found;
}

}  // namespace overlane
