// TrialDialogTest: the dialog that tries settings, shown offscreen, with a script that stands in for `overlane`.
#pragma once

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "app/session/document.h"
#include "app/theme/palette.h"
#include "app/trial/trial_dialog.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/trial/stand_in.h"

namespace overlane
{

class TrialDialogTest : public testing::Test
{
protected:
    using StandIn = test::StandIn;
    static constexpr int kLongestWaitMs = 20'000;
    // Ends with what it has, as Ctrl+C makes it.
    static constexpr const char* kUntilInterrupted = "while :; do sleep 0.05; done\n";

    void SetUp() override { make(); }
    void make()
    {
        m_dialog = std::make_unique<TrialDialog>(&m_document);
        m_dialog->run()->setProgram(m_standIn.path());
        m_dialog->refresh();
        m_dialog->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_dialog.get()));
    }
    template <typename Widget>
    Widget* in(const char* name)
    {
        auto* found = m_dialog->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void type(const QString& command)
    {
        auto* field = in<QLineEdit>("trialCommand");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, command);
    }
    void press(const char* name) { QTest::mouseClick(in<QPushButton>(name), Qt::LeftButton); }
    void startWith(const QString& script)
    {
        m_standIn.write(script);
        type("true --epochs 1");
        press("trialStart");
        ASSERT_TRUE(m_dialog->run()->running()) << error().toStdString();
    }
    static QString interruptible(const QString& json)
    {
        return "trap 'rest; exit 130' INT\nrest() {\n" + StandIn::answer(json) + "}\n";
    }
    bool waitForRows(int rows)
    {
        return QTest::qWaitFor([&] { return in<QTableView>("trialRuns")->model()->rowCount() >= rows; },
                               kLongestWaitMs);
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return !m_dialog->run()->running(); }, kLongestWaitMs);
    }
    QString error() { return in<QLabel>("trialError")->isVisible() ? in<QLabel>("trialError")->text() : QString(); }
    QString cell(const char* table, int row, int column)
    {
        return in<QTableView>(table)->model()->index(row, column).data().toString();
    }
    // For a person to look at.
    void take(const QString& name)
    {
        QDir().mkpath(QStringLiteral(OVERLANE_PICTURES));
        for (const auto& [theme, called] : {std::pair{Theme::Dark, "dark"}, std::pair{Theme::Light, "light"}}) {
            applyTheme(*qApp, theme);
            handleEvents();
            EXPECT_TRUE(m_dialog->grab().save(
                QStringLiteral(OVERLANE_PICTURES "/trial_%1_%2.png").arg(name, QLatin1String(called))));
        }
    }

    StandIn m_standIn;
    Document m_document;
    std::unique_ptr<TrialDialog> m_dialog;
};

}  // namespace overlane
