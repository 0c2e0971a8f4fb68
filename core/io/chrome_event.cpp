#include "core/io/chrome_event.h"

#include <cstring>
#include <simdjson.h>

#include "core/io/chrome_document.h"

namespace overlane
{

static_assert(ChromeDocument::kPadding >= simdjson::SIMDJSON_PADDING);

struct ChromeEventParser::Simd {
    simdjson::ondemand::parser parser;
};

namespace
{

namespace ondemand = simdjson::ondemand;

// More than any event has; what a file piles up beyond is not worth memory or time.
constexpr std::size_t kMostArgs = 4096;

// The token of a scalar without quotes and trailing space; a raw view, escapes kept.
std::string_view scalarText(ondemand::value& value)
{
    std::string_view token = value.raw_json_token();
    while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ')
        token.remove_suffix(1);
    if (token.size() >= 2 && token.front() == '"' && token.back() == '"')
        token = token.substr(1, token.size() - 2);
    return token;
}

std::string_view keyText(const ondemand::raw_json_string& key)
{
    const char* start = key.raw();
    const char* at = start;
    while (*at != '"')
        at += *at == '\\' ? 2 : 1;
    return {start, static_cast<std::size_t>(at - start)};
}

std::string_view* memberFor(ChromeEvent& event, std::string_view key)
{
    switch (key.size()) {
        case 2:
            return key == "ph" ? &event.phase : key == "ts" ? &event.ts : key == "id" ? &event.id : nullptr;
        case 3:
            return key == "pid"   ? &event.pid
                   : key == "tid" ? &event.tid
                   : key == "dur" ? &event.dur
                   : key == "cat" ? &event.category
                                  : nullptr;
        case 4:
            return key == "name" ? &event.name : nullptr;
        default:
            return nullptr;
    }
}

bool isContainer(ondemand::value& value)
{
    const std::string_view token = value.raw_json_token();
    return !token.empty() && (token.front() == '{' || token.front() == '[');
}

void appendUtf8(std::string& out, unsigned code)
{
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xE0 | (code >> 12));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

void unescape(std::string_view raw, std::string& out)
{
    out.clear();
    for (std::size_t at = 0; at < raw.size(); ++at) {
        if (raw[at] != '\\' || at + 1 == raw.size()) {
            out += raw[at];
            continue;
        }
        const char next = raw[at + 1];
        static constexpr std::string_view kCodes = "\"\\/bfnrt";
        static constexpr std::string_view kMeanings = "\"\\/ \n\n\n\t";
        if (const std::size_t code = kCodes.find(next); code != std::string_view::npos) {
            out += kMeanings[code];
            ++at;
        } else if (unsigned unit = 0; next == 'u' && at + 5 < raw.size() &&
                                      std::sscanf(std::string(raw.substr(at + 2, 4)).c_str(), "%4x", &unit) == 1) {
            appendUtf8(out, unit >= 0xD800 && unit < 0xE000 ? 0xFFFD : unit);
            at += 5;
        } else {
            out += '\\';
        }
    }
}

}  // namespace

std::string unescapedJson(std::string_view raw)
{
    std::string text;
    unescape(raw, text);
    return text;
}

ChromeEventParser::ChromeEventParser() : m_simd(std::make_unique<Simd>()) {}
ChromeEventParser::~ChromeEventParser() = default;

bool ChromeEventParser::extract(std::string_view text)
{
    m_event.args.clear();
    m_event.phase = m_event.name = m_event.category = {};
    m_event.pid = m_event.tid = m_event.id = m_event.ts = m_event.dur = {};
    ondemand::document document;
    const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
    if (m_simd->parser.iterate(padded).get(document) != simdjson::SUCCESS)
        return false;
    ondemand::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS)
        return false;
    for (auto result : object) {
        ondemand::field field;
        if (std::move(result).get(field) != simdjson::SUCCESS)
            return false;
        const std::string_view key = keyText(field.key());
        ondemand::value value = field.value();
        if (std::string_view* member = memberFor(m_event, key)) {
            if (!isContainer(value))
                *member = scalarText(value);
        } else if (key == "args" && value.raw_json_token().front() == '{') {
            ondemand::object args;
            if (value.get_object().get(args) != simdjson::SUCCESS)
                return false;
            for (auto argResult : args) {
                ondemand::field argField;
                if (std::move(argResult).get(argField) != simdjson::SUCCESS)
                    return false;
                ondemand::value argValue = argField.value();
                if (!isContainer(argValue) && m_event.args.size() < kMostArgs)
                    m_event.args.emplace_back(keyText(argField.key()), scalarText(argValue));
            }
        }
    }
    return true;
}

const ChromeEvent* ChromeEventParser::parse(std::string_view text)
{
    bool good = extract(text);
    if (!good) {
        // Raw control bytes and bytes that are no UTF-8 make the library refuse the whole event.
        m_cleaned.assign(text);
        for (char& c : m_cleaned)
            if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~')
                c = static_cast<unsigned char>(c) < ' ' ? ' ' : '?';
        const std::size_t length = m_cleaned.size();
        m_cleaned.resize(length + ChromeDocument::kPadding, ' ');
        good = m_cleaned != text && extract(std::string_view(m_cleaned).substr(0, length));
    }
    if (!good)
        return nullptr;
    if (m_event.name.find('\\') != std::string_view::npos) {
        unescape(m_event.name, m_name);
        m_event.name = m_name;
    }
    return &m_event;
}

}  // namespace overlane
