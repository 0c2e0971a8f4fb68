// What the details panel says of an event, and where its links lead.
#include <QApplication>
#include <QClipboard>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>

#include "app/details/details_panel.h"
#include "app/details/details_text.h"
#include "app/widgets/text.h"
#include "core/base/exact_time.h"
#include "core/base/units.h"
#include "core/io/format.h"
#include "core/trace/trace_builder.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class DetailsTest : public WindowTest
{
protected:
    EventIndex firstOf(EventKind kind, bool linked = true)
    {
        const Trace& trace = *document()->trace();
        for (std::size_t i = 0; i < trace.eventCount(); ++i)
            if (trace.kind(EventIndex(i)) == kind && (!linked || trace.link(EventIndex(i)).valid()))
                return EventIndex(i);
        return {};
    }
    QString shown(EventIndex event)
    {
        document()->selection()->setEvent(event);
        return control<DetailsPanel>("detailsPanel")->shownText().replace(QChar(0x2009), ' ');
    }
    // Presses Tab until the text's link is reached, then Enter.
    void followFirstLink()
    {
        auto* browser = control<QTextBrowser>("detailsText");
        browser->setFocus();
        QTest::keyClick(browser, Qt::Key_Tab);
        QTest::keyClick(browser, Qt::Key_Return);
    }
};

TEST_F(DetailsTest, ACopyTellsSizeRateMemoryCallAndCause)
{
    open(recorded(kPinnedRun));
    const EventIndex copy = firstOf(EventKind::CopyH2D);
    ASSERT_TRUE(copy.valid());
    const Trace& trace = *document()->trace();
    const QString text = shown(copy);
    const auto expect = [&](const std::string& part) {
        const QString wanted = QString::fromStdString(part).replace(QChar(0x2009), ' ');
        EXPECT_TRUE(text.contains(wanted)) << part << "\nin\n" << text.toStdString();
    };
    expect("Memcpy HtoD (Pinned -> Device)");
    expect(formatExactTime(trace.interval(copy).startNs));
    expect(formatExactTime(trace.interval(copy).lengthNs()));
    expect(formatBytes(trace.copy(copy)->bytes));
    expect(formatRate(trace.copy(copy)->bytes, trace.interval(copy).lengthNs()));
    expect("pinned → device");
    expect(formatDuration(trace.interval(trace.link(copy)).lengthNs()));
    expect("before the end");
    expect("Hidden");
    expect("Why:");
    expect("Go to the call");
}

TEST_F(DetailsTest, LinksLeadFromACopyToItsCallAndBack)
{
    open(recorded(kPinnedRun));
    const EventIndex copy = firstOf(EventKind::CopyH2D);
    const EventIndex call = document()->trace()->link(copy);
    shown(copy);
    followFirstLink();
    EXPECT_EQ(document()->selection()->event(), call);
    EXPECT_TRUE(document()->view()->range().overlaps(document()->trace()->interval(call)));
    const QString text = shown(call);
    EXPECT_TRUE(text.contains("cudaMemcpyAsync")) << text.toStdString();
    test::expectText(text);
    followFirstLink();
    EXPECT_EQ(document()->selection()->event(), copy);
}

TEST_F(DetailsTest, AKernelTellsItsCallAndHowLongItWaited)
{
    open(recorded(kPinnedRun));
    const EventIndex kernel = firstOf(EventKind::Kernel);
    const Trace& trace = *document()->trace();
    const QString text = shown(kernel);
    EXPECT_TRUE(text.contains("kernel")) << text.toStdString();
    test::expectText(text);
    const std::int64_t lagNs = trace.interval(kernel).startNs - trace.interval(trace.link(kernel)).startNs;
    EXPECT_TRUE(text.contains(QString::fromStdString(formatDuration(lagNs)).replace(QChar(0x2009), ' ')));
    EXPECT_FALSE(text.contains("Memory"));
}

TEST_F(DetailsTest, ACollectiveTellsKindSizeAndGroup)
{
    TraceBuilder builder;
    const TrackId gpu = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    Event event;
    event.track = builder.addTrack(gpu, TrackKind::EngineCompute, "compute", 0);
    event.durationNs = 50'000;
    event.kind = EventKind::Kernel;
    event.name = builder.intern("ncclDevKernel_AllGather_RING_LL");
    const CollectiveInfo info{CollectiveKind::AllGather, builder.intern("fsdp"), 41, 2 << 20, 8};
    builder.addEvent(event, &info);
    QTemporaryDir folder;
    const QString path = folder.filePath("collective.overlane");
    Progress progress;
    ASSERT_TRUE(writeTrace(builder.build(), path.toStdString(), progress).ok());
    open(path);
    const QString text = shown(EventIndex(0));
    test::expectText(text);
    EXPECT_TRUE(text.contains("fsdp"));
    EXPECT_TRUE(text.contains(QString::fromStdString(std::string(collectiveKindName(info.kind)))));
}

TEST_F(DetailsTest, ACopyWithinTheDeviceHasNoShareOfTheLink)
{
    TraceBuilder builder;
    builder.addDevice({.id = 0, .name = "H100", .linkBytesPerSecond = 63e9});
    const TrackId gpu = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    Event event;
    event.track = builder.addTrack(gpu, TrackKind::EnginePeer, "D2D", 0);
    event.durationNs = 1'280;
    event.name = builder.intern("Memcpy DtoD");
    event.copy = CopyInfo{.bytes = 262'144, .source = MemoryKind::Device, .destination = MemoryKind::Device};
    event.kind = EventKind::CopyD2D;
    builder.addEvent(event);
    event.startNs = 2'000;
    event.kind = EventKind::CopyH2D;
    builder.addEvent(event);
    builder.stats().add("recording_note_9", "notes of the recording: One sentence.", Severity::Warning);
    QTemporaryDir folder;
    const QString path = folder.filePath("within.overlane");
    Progress progress;
    ASSERT_TRUE(writeTrace(builder.build(), path.toStdString(), progress).ok());
    open(path);
    EXPECT_FALSE(shown(EventIndex(0)).contains("%"));
    EXPECT_TRUE(shown(EventIndex(1)).contains("%"));
    test::expectText(shown({}));
}

TEST_F(DetailsTest, NothingSelectedSaysWhatToDo)
{
    open(recorded(kPinnedRun));
    const QString text = shown({});
    test::expectText(text);
    EXPECT_TRUE(text.contains("10 110"));
}

TEST_F(DetailsTest, ASelectedRangeSaysItsLengthAndFigures)
{
    open(recorded(kPinnedRun));
    const EventIndex kernel = firstOf(EventKind::Kernel);
    const QString ofKernel = shown(kernel);
    const QString ofTrace = shown({});
    const Interval span = document()->trace()->span();
    document()->selection()->setRange(Interval{span.startNs, span.startNs + span.lengthNs() / 2});
    test::expectText(control<DetailsPanel>("detailsPanel")->shownText());
    EXPECT_EQ(shown(kernel), ofKernel) << "an event comes first";
    document()->selection()->setEvent({});
    document()->selection()->setRange({});
    EXPECT_EQ(shown({}), ofTrace);
}

TEST_F(DetailsTest, ALongNameIsElidedInTheMiddleAndCanBeCopiedWhole)
{
    const std::string name = "void gemm<" + std::string(400, 'x') + ">(last)";
    TraceBuilder builder;
    const TrackId gpu = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    const TrackId compute = builder.addTrack(gpu, TrackKind::EngineCompute, "compute", 0);
    Event event;
    event.track = compute;
    event.durationNs = 5'000;
    event.kind = EventKind::Kernel;
    event.name = builder.intern(name);
    builder.addEvent(event);
    QTemporaryDir folder;
    const QString path = folder.filePath("long.overlane");
    Progress progress;
    ASSERT_TRUE(writeTrace(builder.build(), path.toStdString(), progress).ok());
    open(path);
    const QString text = shown(EventIndex(0));
    test::expectText(text);
    EXPECT_TRUE(text.contains(QChar(0x2026)));
    EXPECT_TRUE(text.contains(">(last)"));
    EXPECT_FALSE(text.contains(QString(200, 'x')));
    // Nothing runs out of the panel to the right.
    auto* browser = control<QTextBrowser>("detailsText");
    EXPECT_LE(browser->document()->idealWidth(), browser->viewport()->width());
    followFirstLink();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), name);
}

// A column beside the names would break words.
TEST_F(DetailsTest, ANarrowPanelBreaksNoWord)
{
    constexpr qsizetype kLongestWord = 16;
    open(recorded(kPinnedRun));
    auto* panel = control<DetailsPanel>("detailsPanel");
    auto* browser = control<QTextBrowser>("detailsText");
    document()->selection()->setEvent(firstOf(EventKind::CopyH2D));
    for (const int width : {170, 190, 210, 240, 270, 330}) {
        panel->setMinimumWidth(0);
        panel->resize(width, 500);
        QCoreApplication::processEvents();
        for (QTextBlock block = browser->document()->begin(); block.isValid(); block = block.next()) {
            const QTextLayout& layout = *block.layout();
            for (int line = 1; line < layout.lineCount(); ++line) {
                const QString text = block.text();
                const int at = layout.lineAt(line).textStart();
                // A kernel's name may be longer than any line.
                const qsizetype from = text.lastIndexOf(' ', at - 1) + 1;
                if (text.indexOf(' ', at) - from > kLongestWord ||
                    (text.indexOf(' ', at) < 0 && text.size() - from > kLongestWord))
                    continue;
                EXPECT_FALSE(text[at - 1].isLetter() && text[at].isLetter())
                    << width << ": " << text.left(at).toStdString() << " / " << text.mid(at).toStdString();
                EXPECT_FALSE(text[at] == '>') << width << ": " << text.toStdString();
            }
        }
    }
}

TEST(ElidedInTheMiddle, KeepsBothEnds)
{
    EXPECT_EQ(elidedInTheMiddle("short", 10), "short");
    const QString cut = elidedInTheMiddle("abcdefghijklmnopqrstuvwxyz", 10);
    EXPECT_EQ(cut.size(), 10);
    EXPECT_TRUE(cut.startsWith("abcdef"));
    EXPECT_TRUE(cut.endsWith("xyz"));
}

}  // namespace
}  // namespace overlane
