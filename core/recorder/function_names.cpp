#include "core/recorder/function_names.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace overlane
{
namespace
{

constexpr std::size_t kLongestSymbol = 2048;  // of which all is looked at: some grow a lot when demangled

bool isWord(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$' ||
           static_cast<unsigned char>(letter) >= 0x80;
}

// Reads a demangled name from its start, and keeps what people call the function.
class Shortener
{
public:
    explicit Shortener(std::string_view text) : m_text(text) {}

    std::string shortened()
    {
        while (m_at < m_text.size() && step()) {
        }
        return std::move(m_name);
    }

private:
    bool starts(std::string_view with) const { return m_text.substr(m_at).starts_with(with); }

    // False at the end of the name.
    bool step()
    {
        const char letter = m_text[m_at];
        if (starts("operator") && (m_at == 0 || !isWord(m_text[m_at - 1])) && !isWord(after("operator")))
            return keepOperator();
        if (starts("(anonymous namespace)::")) {
            m_at += std::string_view("(anonymous namespace)::").size();
            return true;
        }
        switch (letter) {
            case '<':
                skipBracket('<', '>');
                return true;
            case '[':
                skipBracket('[', ']');
                return true;
            case '{':
                keepBraces();
                return true;
            case '(':
                return skipParameters();
            case ' ':
                // What came before was the type of what the function returns; "operator< <int>" goes on.
                ++m_at;
                if (!starts("<"))
                    m_name.clear();
                return true;
            default:
                m_name.push_back(letter);
                ++m_at;
                return true;
        }
    }

    char after(std::string_view text) const
    {
        const std::size_t at = m_at + text.size();
        return at < m_text.size() ? m_text[at] : '\0';
    }

    // To behind the bracket that closes. "->" closes none, nor does what stands in parentheses: "<((3)>(4)), int>".
    void skipBracket(char open, char close)
    {
        int depth = 0;
        int within = 0;
        for (; m_at < m_text.size(); ++m_at) {
            const char letter = m_text[m_at];
            if (open == '<' && (letter == '(' || letter == ')'))
                within += letter == '(' ? 1 : -1;
            else if (letter == open && within <= 0)
                ++depth;
            else if (letter == close && within <= 0 && !(close == '>' && m_text[m_at - 1] == '-') && --depth == 0)
                break;
        }
        m_at = std::min(m_at + 1, m_text.size());
    }

    // "{lambda(int)#1}" -> "{lambda}"
    void keepBraces()
    {
        const std::size_t start = m_at;
        skipBracket('{', '}');
        const std::string_view inside = m_text.substr(start, m_at - start);
        m_name += inside.substr(0, inside.find_first_of("(#}"));
        m_name += '}';
    }

    // The function of something that is local to a function goes on behind the parameters of that one.
    bool skipParameters()
    {
        const bool isType = m_name == "decltype" || m_name.empty();
        skipBracket('(', ')');
        while (starts(" const") || starts(" volatile"))
            m_at += starts(" const") ? 6 : 9;
        if (isType)
            m_name.clear();
        return isType || starts("::");
    }

    bool keepOperator()
    {
        m_name += "operator";
        m_at += std::string_view("operator").size();
        if (starts("()")) {
            // Of a lambda nothing else is ever called.
            constexpr std::string_view kOfLambda = "}::operator";
            if (m_name.ends_with(kOfLambda))
                m_name.resize(m_name.size() - kOfLambda.size() + 1);
            else
                m_name += "()";
            m_at += 2;
            return true;
        }
        if (starts(" ")) {  // new, delete, or a type
            const std::size_t end = std::min(m_text.find_first_of("(<", m_at), m_text.size());
            m_name += m_text.substr(m_at, end - m_at);
            m_at = end;
            return true;
        }
        // "operator<<int>" is read as what it is far more often: a template of operator<.
        const std::size_t end = std::min(m_text.find_first_not_of("<>=!+-*/%&|^~,[]\"", m_at), m_text.size());
        std::string_view symbols = m_text.substr(m_at, end - m_at);
        const bool hasArguments = end < m_text.size() && m_text[end] != '(' && symbols.size() > 1;
        if (hasArguments && symbols.ends_with('<'))
            symbols.remove_suffix(1);
        m_name += symbols;
        m_at += symbols.size();
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_name;
};

// Rust's "train::augment::h0123456789abcdef".
std::string_view withoutHash(std::string_view name)
{
    constexpr std::size_t kHash = 19;
    if (name.size() <= kHash || name.substr(name.size() - kHash, 3) != "::h")
        return name;
    const std::string_view digits = name.substr(name.size() - 16);
    return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos ? name.substr(0, name.size() - kHash)
                                                                                  : name;
}

}  // namespace

std::string shortFunction(std::string_view demangled)
{
    std::string name = Shortener(demangled.substr(0, 8 * kLongestSymbol)).shortened();
    name = std::string(withoutHash(name));
    if (name.empty())
        name = std::string(demangled);
    if (name.size() > kLongestName)
        name.resize(kLongestName);
    return name;
}

std::string functionName(std::string_view symbol)
{
    symbol = symbol.substr(0, symbol.find('@'));  // a version of the linker's
    if (symbol.starts_with("_Z") || symbol.starts_with("_R")) {
        int status = 0;
        const std::string whole(symbol.substr(0, kLongestSymbol));
        const std::unique_ptr<char, void (*)(void*)> plain(
            abi::__cxa_demangle(whole.c_str(), nullptr, nullptr, &status), std::free);
        if (status == 0 && plain != nullptr) {
            std::string name = shortFunction(plain.get());
            if (name.starts_with(kDeviceStub) && name.size() > kDeviceStub.size())
                return functionName(std::string_view(name).substr(kDeviceStub.size()));
            return name;
        }
    }
    // Parts and copies that a compiler made of a function: "augment.part.0", "augment._omp_fn.0".
    const std::size_t dot = symbol.find('.', 1);
    return std::string(symbol.substr(0, std::min({dot, symbol.size(), kLongestName})));
}

}  // namespace overlane
