// window_soak: seeded random actions in the window, with checks after each and the growth of memory.
//
//   window_soak [--actions N] [--seed S]
//
// Ends with 1 and the last actions where something is wrong. Memory is sampled when a fresh window shows the
// run of a first start, at most every 250 actions; after a quarter of the actions it may grow by no more than
// a quarter and 48 MiB (not asked under a sanitizer, whose own memory grows; leaks are its business).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <malloc.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <QApplication>

#include "app/theme/palette.h"
#include "tests/stress/window/window_soak.h"

namespace
{

using namespace overlane;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr int kSampleEvery = 250;
constexpr std::size_t kRemembered = 25;
constexpr double kMostGrowth = 1.25;
constexpr std::int64_t kMostGrownBytes = 48ll << 20;

std::int64_t residentBytes()
{
    malloc_trim(0);
    std::int64_t pages = 0;
    std::int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

int numberAfter(int argc, char** argv, const char* name, int otherwise)
{
    for (int i = 1; i + 1 < argc; ++i)
        if (std::strcmp(argv[i], name) == 0)
            return std::atoi(argv[i + 1]);
    return otherwise;
}

// What Qt warns of is a fault of the window.
int warnings = 0;
void countWarnings(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (type == QtDebugMsg || type == QtInfoMsg || text.startsWith(QLatin1String("This plugin does not support")) ||
        text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")))
        return;
    ++warnings;
    std::printf("Qt warns: %s\n", qPrintable(text));
    std::fflush(stdout);
}

bool memoryIsBounded(const std::vector<std::int64_t>& samples)
{
    const std::size_t warm = samples.size() / 4;
    if (samples.size() < 4 || kSanitized)
        return true;
    const double bound = static_cast<double>(samples[warm]) * kMostGrowth + static_cast<double>(kMostGrownBytes);
    return static_cast<double>(samples.back()) <= bound;
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const int actions = numberAfter(argc, argv, "--actions", 400);
    const int seed = numberAfter(argc, argv, "--seed", 1);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("overlane-tests");
    QCoreApplication::setApplicationName("window_soak");
    qInstallMessageHandler(countWarnings);
    applyTheme(application, Theme::Light);

    WindowSoak soak(static_cast<std::uint32_t>(seed));
    std::deque<std::string> last;
    std::vector<std::int64_t> samples{residentBytes()};
    for (int done = 0; done < actions; ++done) {
        last.push_back(soak.act());
        if (last.size() > kRemembered)
            last.pop_front();
        const bool settled = soak.chance(3) == 0;
        std::string wrong = settled && !soak.settle() ? "work does not end" : soak.check(settled);
        if (wrong.empty() && warnings > 0)
            wrong = "Qt warned";
        if (!wrong.empty()) {
            std::printf("seed %d, action %d: %s\nThe last actions:\n", seed, done, wrong.c_str());
            for (const std::string& name : last)
                std::printf("  %s\n", name.c_str());
            return 1;
        }
        if ((done + 1) % std::min(kSampleEvery, std::max(1, actions / 8)) == 0) {
            (void)soak.settle();
            soak.startAnew();
            samples.push_back(residentBytes());
            const struct mallinfo2 heap = mallinfo2();
            std::printf("%d actions: %.1f MiB, of which %.1f MiB are in use by the program\n", done + 1,
                        static_cast<double>(samples.back()) / (1 << 20),
                        static_cast<double>(heap.uordblks + heap.hblkhd) / (1 << 20));
            std::fflush(stdout);
        }
    }
    if (!memoryIsBounded(samples)) {
        std::printf("seed %d: memory grew from %.1f to %.1f MiB\n", seed,
                    static_cast<double>(samples[samples.size() / 4]) / (1 << 20),
                    static_cast<double>(samples.back()) / (1 << 20));
        return 1;
    }
    std::printf("%d actions, seed %d: nothing wrong\n", actions, seed);
    return 0;
}
