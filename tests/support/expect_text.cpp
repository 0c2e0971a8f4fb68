#include "tests/support/expect_text.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>

#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"

namespace overlane::test
{
namespace
{

// Texts by the name of their test and their number within it, from 1.
using Texts = std::map<std::pair<std::string, int>, std::string>;

constexpr std::string_view kIndent = "    ";

// "[name]" or "[name 2]" and, indented below it, the text.
Texts parsed(const std::string& content)
{
    static const std::regex kHead(R"(\[(\S+)(?: (\d+))?\])");
    Texts texts;
    std::string* current = nullptr;
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);) {
        std::smatch head;
        if (std::regex_match(line, head, kHead))
            current = &texts[{head[1], head[2].matched ? std::stoi(head[2]) : 1}];
        else if (current)
            *current += (line.empty() ? line : line.substr(kIndent.size())) + "\n";
    }
    return texts;
}

std::string written(const Texts& texts)
{
    std::ostringstream out;
    for (const auto& [key, text] : texts) {
        out << '[' << key.first << (key.second > 1 ? " " + std::to_string(key.second) : "") << "]\n";
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            out << (line.empty() ? "" : kIndent) << line << '\n';
    }
    return out.str();
}

// As it was before any test set TMPDIR.
const std::string kTempFolder = std::filesystem::temp_directory_path().string();

// Replaces what differs from machine to machine.
std::string anywhere(std::string text)
{
    static const std::regex kMemory(R"((\(this machine; [^)]*\)\s+)[\d.]+ \S+)");
    static const std::regex kTemp("(^|[^/A-Za-z])(?:" + kTempFolder + R"(|/tmp)/[^\s/'",:;)]+)");
    for (std::size_t at = 0; (at = text.find(OVERLANE_SOURCE_DIR, at)) != std::string::npos;)
        text.replace(at, std::string_view(OVERLANE_SOURCE_DIR).size(), "<source>");
    text = std::regex_replace(std::regex_replace(text, kTemp, "$1<temp>"), kMemory, "$1<memory>");
    while (text.ends_with('\n'))
        text.pop_back();
    return text.empty() ? text : text + "\n";
}

// Tests of one suite may run in several programs at once.
class Lock
{
public:
    explicit Lock(const std::filesystem::path& file) : m_file(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644))
    {
        flock(m_file, LOCK_EX);
    }
    ~Lock() { close(m_file); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

private:
    int m_file;
};

void write(const std::filesystem::path& path, const std::string& test, int number, const std::string& text)
{
    std::filesystem::create_directories(path.parent_path());
    const Lock lock(path);
    Texts texts = parsed(readFile(path));
    if (number == 1)
        std::erase_if(texts, [&](const auto& entry) { return entry.first.first == test; });
    texts[{test, number}] = text;
    std::ofstream(path, std::ios::binary) << written(texts);
}

// The number of this text in the test that runs.
int nextNumber(const testing::TestInfo& test)
{
    static std::pair<const testing::TestInfo*, testing::TimeInMillis> current;
    static int last = 0;
    const std::pair run(&test, test.result()->start_timestamp());
    last = run == current ? last + 1 : 1;
    current = run;
    return last;
}

}  // namespace

void expectText(std::string_view text, const char* file, int line)
{
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    const int number = nextNumber(test);
    const auto path = goldenFolder() / "texts" /
                      (std::regex_replace(test.test_suite_name(), std::regex("/"), ".") + std::string(".txt"));
    const std::string now = anywhere(std::string(text));
    if (goldenIsWritten()) {
        write(path, test.name(), number, now);
        return;
    }
    const Texts texts = parsed(readFile(path));
    const auto kept = texts.find({test.name(), number});
    if (kept == texts.end())
        ADD_FAILURE_AT(file, line) << path << " has no text " << number
                                   << " of this test; run with OVERLANE_UPDATE_GOLDEN=1\n"
                                   << now;
    else if (kept->second != now)
        ADD_FAILURE_AT(file, line) << "text " << number << " of this test differs from " << path << " in "
                                   << firstDifference(now, kept->second)
                                   << "\nif it should, run with OVERLANE_UPDATE_GOLDEN=1 and read the difference";
}

void expectText(const std::vector<std::string>& texts, const char* file, int line)
{
    std::string all;
    for (const std::string& text : texts)
        all += text + "\n";
    expectText(all, file, line);
}

std::string withoutFigures(const std::string& text)
{
    // With the unit, which changes with the figure, behind any of the spaces that formatting uses.
    static const std::string kSpace = "(?: |\u00a0|\u202f|\u2009)";
    static const std::regex kFigure(R"(\d[\d.]*(?:)" + kSpace + R"(\d{3})*(?:)" + kSpace +
                                    "(?:ns|\u00b5s|ms|s|min|B|KiB|MiB|GiB|%)(?![A-Za-z]))?");
    return std::regex_replace(text, kFigure, "#");
}

std::string pageText(const std::string& html)
{
    std::string text;
    for (std::size_t at = 0; at < html.size();) {
        const std::size_t tag = std::min(html.find('<', at), html.size());
        const std::string_view words = std::string_view(html).substr(at, tag - at);
        if (words.find_first_not_of(" \t\n") != std::string_view::npos)
            text += std::string(words) + "\n";
        std::string_view end = ">";
        for (const auto& [name, last] : {std::pair("<style", "</style>"), std::pair("<svg", "</svg>")})
            if (html.compare(tag, std::string_view(name).size(), name) == 0)
                end = last;
        const std::size_t behind = html.find(end, tag);
        at = behind == std::string::npos ? html.size() : behind + end.size();
    }
    return text;
}

}  // namespace overlane::test
