// ChromeEvent: the members of one trace event that Overlane uses, as text of the file.
//
// Views point into the event's text or into the parser; they hold until the next parse().
// Numbers stay text: who needs one parses it exactly (chrome_time.h). One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace overlane
{

struct ChromeEvent {
    std::string_view phase;
    std::string_view name;
    std::string_view category;
    std::string_view pid;  // number or text, without quotes
    std::string_view tid;
    std::string_view id;
    std::string_view ts;
    std::string_view dur;
    // Scalars of "args", without quotes, in order.
    std::vector<std::pair<std::string_view, std::string_view>> args;

    // Empty where there is none.
    std::string_view arg(std::string_view key) const
    {
        for (const auto& [name_, value] : args)
            if (name_ == key)
                return value;
        return {};
    }
};

// The text between the quotes of a JSON text, its escapes resolved; a backslash that starts none stands for itself.
std::string unescapedJson(std::string_view raw);

class ChromeEventParser
{
public:
    ChromeEventParser();
    ~ChromeEventParser();
    ChromeEventParser(const ChromeEventParser&) = delete;
    ChromeEventParser& operator=(const ChromeEventParser&) = delete;

    // `text` is one {...} followed by ChromeDocument::kPadding readable bytes; nullptr where it is
    // no valid JSON. Control bytes inside strings are forgiven.
    const ChromeEvent* parse(std::string_view text);

private:
    bool extract(std::string_view text);

    struct Simd;
    std::unique_ptr<Simd> m_simd;
    ChromeEvent m_event;
    std::string m_name;     // the name with its escapes resolved
    std::string m_cleaned;  // a copy of the text without control bytes
};

}  // namespace overlane
