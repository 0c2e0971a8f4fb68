// What the window writes for others: a report, a picture of what is in sight, a part of the trace.
#include <functional>
#include <vector>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPrinter>
#include <QXmlStreamReader>

#include "app/shell/bottom_panel.h"
#include "app/shell/exporter.h"
#include "app/shell/svg_drawing.h"
#include "app/tables/events_model.h"
#include "app/tables/events_panel.h"
#include "app/theme/palette.h"
#include "app/widgets/data_table.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/trace_folder.h"
#include "core/io/format.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class ExportTest : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        open(recorded(kPageableRun));
    }
    QString answer(const QString& name)
    {
        FileChooser chooser;
        chooser.toSave = [this, name](QWidget*, const QString&, const QString& suggested, const QString&) {
            m_suggested = suggested;
            return name.isEmpty() ? QString() : m_folder.filePath(name);
        };
        m_window.setFileChooser(chooser);
        return m_folder.filePath(name);
    }
    void waitForFile(const QString& path)
    {
        ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(path) && !m_window.exporter()->worker()->busy(); },
                                    kLongestWaitMs));
        handleEvents();
    }
    static QByteArray bytesOf(const QString& path)
    {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }

    // For people to look at.
    static void keep(const QString& path)
    {
        const QString copy = QStringLiteral(OVERLANE_PICTURES "/") + QFileInfo(path).fileName();
        EXPECT_TRUE(QDir().mkpath(QStringLiteral(OVERLANE_PICTURES)));
        QFile::remove(copy);
        EXPECT_TRUE(QFile::copy(path, copy));
    }

    QTemporaryDir m_folder;
    QString besideTrace(const char* name) { return QFileInfo(document()->path()).dir().filePath(name); }
    QString m_suggested;
};

TEST_F(ExportTest, EachFileIsSuggestedInTheFolderOfTheTrace)
{
    answer({});
    m_window.bottomPanel()->setCurrentWidget(m_window.bottomPanel()->events());
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return m_window.bottomPanel()->events()->model()->rowCount() > 0; }, kLongestWaitMs));
    const std::vector<std::function<void()>> writes = {
        [this] { m_window.exportPicture(); }, [this] { m_window.exportReport(); }, [this] { m_window.exportTable(); },
        [this] { m_window.sharePart(); }, [this] { m_window.saveAs(); }};
    for (std::size_t i = 0; i < writes.size(); ++i) {
        m_suggested.clear();
        writes[i]();
        EXPECT_EQ(m_suggested, besideTrace(qPrintable(QFileInfo(m_suggested).fileName()))) << i;
    }
    EXPECT_EQ(inTraceFolder(m_window.bottomPanel()->events()->table(), "a.csv"), besideTrace("a.csv"));
}

TEST_F(ExportTest, AReportIsOnePage)
{
    const QString path = answer("run.html");
    m_window.exportReport();
    waitForFile(path);
    EXPECT_EQ(m_suggested, besideTrace("w4_page_b_main_d4.pt.trace.html"));
    const QByteArray page = bytesOf(path);
    EXPECT_TRUE(page.contains(document()->judgement()->headline().substr(0, 20).c_str()));
    EXPECT_TRUE(page.contains("</html>"));
}

TEST_F(ExportTest, AReportAsPdfHasItsWordsAndDrawings)
{
    const QString path = answer("report.pdf");
    m_window.exportReport();
    waitForFile(path);
    keep(path);
    EXPECT_TRUE(bytesOf(path).startsWith("%PDF-"));
    EXPECT_GT(bytesOf(path).count("/Type /Page\n"), 1);
    EXPECT_FALSE(bytesOf(path).contains("/Subtype /Image")) << "drawings are vectors";
}

TEST_F(ExportTest, AReportIsPrinted)
{
    const QString path = m_folder.filePath("printed.pdf");
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setOutputFileName(path);
    QSignalSpy printed(m_window.exporter(), &Exporter::printed);
    m_window.exporter()->printReport(document()->current(), printer);
    ASSERT_TRUE(QTest::qWaitFor([&] { return printed.count() == 1; }, kLongestWaitMs));
    EXPECT_GT(bytesOf(path).count("/Type /Page\n"), 1);
}

TEST_F(ExportTest, APictureAsPdfIsOnePageOfVectors)
{
    const QString path = answer("timeline.pdf");
    m_window.exportPicture();
    waitForFile(path);
    keep(path);
    EXPECT_EQ(bytesOf(path).count("/Type /Page\n"), 1);
    EXPECT_FALSE(bytesOf(path).contains("/Subtype /Image"));
}

// What `overlane picture` asks for.
TEST_F(ExportTest, AnSvgIsDrawnAsPngOfItsSizeAndAsPdf)
{
    const QString svg = answer("timeline.svg");
    m_window.exportPicture();
    waitForFile(svg);
    const QString png = m_folder.filePath("drawn.png");
    ASSERT_TRUE(drawSvgFile(svg.toStdString(), png.toStdString()).ok());
    const QImage picture(png);
    EXPECT_EQ(QSizeF(picture.size()), svgSize(bytesOf(svg)));
    QSet<QRgb> colors;
    for (int x = 0; x < picture.width(); ++x)
        colors.insert(picture.pixel(x, picture.height() / 2));
    EXPECT_GT(colors.size(), 3);
    const QString pdf = m_folder.filePath("drawn.PDF");
    ASSERT_TRUE(drawSvgFile(svg.toStdString(), pdf.toStdString()).ok());
    EXPECT_TRUE(bytesOf(pdf).startsWith("%PDF-"));
    const QString none = m_folder.filePath("none.svg");
    EXPECT_FALSE(drawSvgFile(none.toStdString(), png.toStdString()).ok());
    ASSERT_TRUE(drawSvgFile(pdf.toStdString(), m_folder.filePath("a.png").toStdString()).error().find("no SVG") !=
                std::string::npos);
}

TEST_F(ExportTest, TheTableInSightIsWrittenAsFilteredAndSorted)
{
    EventsPanel* events = m_window.bottomPanel()->events();
    m_window.bottomPanel()->setCurrentWidget(events);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return events->model()->current() && events->model()->rowCount() > 0; }, kLongestWaitMs));
    events->model()->setFilter({}, EventKind::CopyH2D, {});
    events->model()->sort(EventsModel::Duration, Qt::DescendingOrder);
    ASSERT_TRUE(QTest::qWaitFor([&] { return events->model()->current(); }, kLongestWaitMs));
    const QString path = answer("events");
    QSignalSpy exported(m_window.bottomPanel(), &BottomPanel::tableExported);
    m_window.exportTable();
    ASSERT_TRUE(QTest::qWaitFor([&] { return exported.count() == 1; }, kLongestWaitMs));
    const QList<QByteArray> lines = bytesOf(path + ".csv").split('\n');
    EXPECT_TRUE(lines[0].startsWith("start_ns,duration_ns,"));
    ASSERT_EQ(lines.size(), events->model()->rowCount() + 2);
    const Trace& trace = *document()->trace();
    const EventIndex longest = events->model()->event(0);
    EXPECT_EQ(lines[1].split(',')[0].toLongLong(), trace.interval(longest).startNs);
    EXPECT_EQ(lines[1].split(',')[1].toLongLong(), trace.interval(longest).lengthNs());
}

TEST_F(ExportTest, WithoutATableInSightThatIsSaid)
{
    m_window.bottomPanel()->setCurrentWidget(m_window.bottomPanel()->notes());
    answer("no.csv");
    m_window.exportTable();
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_FALSE(QFile::exists(m_folder.filePath("no.csv")));
}

TEST_F(ExportTest, APictureOfWhatIsInSightIsDrawnOfVectors)
{
    const QString path = answer("run.svg");
    m_window.exportPicture();
    waitForFile(path);
    const QByteArray svg = bytesOf(path);
    QXmlStreamReader xml(svg);
    int shapes = 0;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement)
            shapes += xml.name() == u"path" || xml.name() == u"rect" ? 1 : 0;
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    EXPECT_GE(shapes, 20);
    EXPECT_FALSE(svg.contains("var(")) << "colors are written out";
    EXPECT_FALSE(svg.contains("<image"));
    // Qt draws it for a PDF: kernels in their color, and text.
    QImage drawn(svgSize(svg).toSize(), QImage::Format_RGB32);
    QPainter painter(&drawn);
    drawSvg(painter, svg, drawn.rect());
    painter.end();
    const QRgb kernel = Palette::current().kind(EventKind::Kernel).rgb();
    int kernels = 0;
    for (int y = 0; y < drawn.height(); ++y)
        for (int x = 0; x < drawn.width(); ++x)
            kernels += drawn.pixel(x, y) == kernel ? 1 : 0;
    EXPECT_GT(kernels, 100);
    // The same range in sight gives the same picture, another one another.
    const Interval range = document()->view()->range();
    document()->view()->setRange({range.startNs, range.startNs + range.lengthNs() / 3});
    const QString closer = answer("closer.svg");
    m_window.exportPicture();
    waitForFile(closer);
    EXPECT_NE(bytesOf(closer), svg);
}

TEST_F(ExportTest, APartOpensAsATrace)
{
    const Interval steps = document()->current().steps.steps[4].interval;
    document()->selection()->setRange(steps);
    const QString path = answer("part");
    m_window.sharePart();
    waitForFile(path + ".overlane");
    Progress progress;
    const Trace part = readTrace((path + ".overlane").toStdString(), progress).value();
    EXPECT_GT(part.eventCount(), 100u);
    EXPECT_LT(part.eventCount(), document()->trace()->eventCount() / 2);
    EXPECT_LE(part.span().lengthNs(), steps.lengthNs() + 1);
    EXPECT_TRUE(part.metadata().properties.contains("part"));
    // Without a selection, of what is in sight.
    document()->selection()->setRange(std::nullopt);
    const QString seen = answer("seen.overlane");
    m_window.sharePart();
    waitForFile(seen);
    EXPECT_GT(readTrace(seen.toStdString(), progress).value().eventCount(), part.eventCount());
}

TEST_F(ExportTest, WhatIsWrittenAtOnceIsAllWritten)
{
    const QString first = answer("1.html");
    m_window.exportReport();
    const QString second = answer("2.html");
    m_window.exportReport();
    const QString third = answer("3.html");
    m_window.exportReport();
    for (const QString& path : {first, second, third})
        waitForFile(path);
    EXPECT_EQ(bytesOf(first), bytesOf(third));
}

TEST_F(ExportTest, WhatCannotBeWrittenIsSaid)
{
    answer("no/such/folder/run.html");
    m_window.exportReport();
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_window.messageBar()->isVisible(); }, kLongestWaitMs));
    EXPECT_TRUE(m_window.messageBar()->sentence().contains("run.html"));
    answer({});
    m_window.sharePart();
    EXPECT_FALSE(m_window.exporter()->worker()->busy()) << "cancelled";
}

}  // namespace
}  // namespace overlane
