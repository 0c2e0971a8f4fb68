#include "core/io/overlane_integrity.h"

namespace overlane
{

void OverlaneIntegrity::know(std::string_view key, std::int64_t value)
{
    if (key.starts_with(kOverlaneChecksumKey))
        m_sums.insert_or_assign(std::string(key.substr(kOverlaneChecksumKey.size())), value);
}

void OverlaneIntegrity::check(const OverlanePart& part, const OverlaneChecksum& read)
{
    if (m_sums.empty() && !m_columnsHaveSums)
        return;
    const auto sum = m_sums.find(std::string_view(part.name));
    if (sum != m_sums.end() && sum->second == read.value())
        return;
    m_damage.add(std::string("damaged_") + part.name,
                 std::string("damaged part of the file: its ") + part.words +
                     (sum == m_sums.end() ? " lack their checksum; they may be wrong"
                                          : " do not agree with their checksum; some may be missing or wrong"),
                 Severity::Error);
}

void OverlaneIntegrity::partLost(const OverlanePart& part, const std::string& why)
{
    m_damage.add(std::string("lost_") + part.name,
                 std::string("damaged part of the file: its ") + part.words + " cannot all be read: " + why,
                 Severity::Error);
}

void OverlaneIntegrity::chunkLost(std::int64_t chunk, std::int64_t rows, const std::string& why)
{
    if (m_firstLoss.empty())
        m_firstLoss = why;
    m_damage.add("damaged_chunk",
                 "events or samples left out because their part of the file is damaged (first in chunk " +
                     std::to_string(chunk) + ": " + why + ")",
                 Severity::Error, rows);
}

void OverlaneIntegrity::columnLost(const char* column, std::int64_t rows, const std::string& why)
{
    m_damage.add(
        std::string("damaged_column_") + column,
        "events shown without their " + std::string(column) + " because that part of the file is damaged (" + why + ")",
        Severity::Error, rows);
}

void OverlaneIntegrity::addNotes(ImportStats& stats) const
{
    for (const ImportStat& damage : m_damage.all())
        stats.add(damage.reason, damage.explanation, damage.severity, damage.count);
}

}  // namespace overlane
