// TableExport: writes a model as CSV (RFC 4180, UTF-8) in slices of a few milliseconds.
//
// Lives on the GUI thread, where models live; deletes itself once finished() was emitted. The file
// appears only when it is complete.
#pragma once

#include <QAbstractItemModel>
#include <QObject>
#include <QSaveFile>
#include <QTimer>

namespace overlane
{

class TableExport : public QObject
{
    Q_OBJECT

public:
    TableExport(const QAbstractItemModel* model, const QString& path, QObject* parent);

    void start();
    void cancel();

signals:
    void progressed(int rows);
    // A sentence where it failed; empty where the file is written or the person cancelled.
    void finished(const QString& error, bool written);

private:
    void writeSlice();
    void end(const QString& error, bool written);

    const QAbstractItemModel* m_model;
    QSaveFile m_file;
    QTimer m_next;
    int m_row = 0;
    bool m_ended = false;
};

}  // namespace overlane
