// StatusLine: what is shown and the memory it takes: the trace's own, and the whole program's, which also holds
// judgements, tables, predictions and other traces.
//
// Lives on the GUI thread. Reads the program's memory when it is told of a trace, and every few seconds
// while it is visible, since work in the background changes it. Bytes.
#pragma once

#include <cstdint>
#include <optional>

#include <QLabel>
#include <QTimer>

#include "core/system/proc_file.h"

namespace overlane
{

class StatusLine : public QLabel
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    // `what` comes before the memory, `remark` behind it; without bytes of a trace the memory is the whole program's.
    void describe(const QString& what, std::optional<std::int64_t> traceBytes, const QString& remark);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();

    QString m_what;
    QString m_remark;
    std::optional<std::int64_t> m_traceBytes;
    ProcFile m_process;
    QTimer m_again;
};

}  // namespace overlane
