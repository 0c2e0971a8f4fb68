#include "core/base/string_pool.h"

namespace overlane
{

StringId StringPool::intern(std::string_view text)
{
    if (const auto found = m_ids.find(text); found != m_ids.end())
        return found->second;
    const StringId id(m_texts.size());
    const std::string& stored = m_texts.emplace_back(text);
    m_ids.emplace(stored, id);
    return id;
}

StringId StringPool::find(std::string_view text) const
{
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? StringId() : found->second;
}

std::string_view StringPool::view(StringId id) const
{
    return id.index() < m_texts.size() ? std::string_view(m_texts[id.index()]) : std::string_view();
}

std::size_t StringPool::bytes() const
{
    std::size_t sum = 0;
    for (const std::string& text : m_texts)
        sum += text.capacity() + sizeof(std::string);
    return sum + m_ids.size() * (sizeof(std::string_view) + 2 * sizeof(void*));
}

}  // namespace overlane
