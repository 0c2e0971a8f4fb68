// EngineMemory: keeps the engine that a person chose for the laboratory from one start to the next.
//
// Lives on the GUI thread and uses QSettings. Makes the choice again once the driver has answered,
// or says through notHonored() why it cannot be; what was chosen stays remembered then.
#pragma once

#include <QObject>
#include <QString>

namespace overlane
{

class Document;

class EngineMemory : public QObject
{
    Q_OBJECT

public:
    explicit EngineMemory(Document* document, QObject* parent = nullptr);

signals:
    void notHonored(const QString& sentence);

private:
    void restore();
    void store() const;

    Document* m_document;
    bool m_restored = false;
};

}  // namespace overlane
