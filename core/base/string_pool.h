// StringPool: every distinct name once, addressed by StringId.
//
// Owns the text; views stay valid as long as the pool lives, also when it is moved or grows.
// Not synchronized: one thread fills it, any number may read it afterwards.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/strong_id.h"

namespace overlane
{

class StringPool
{
public:
    StringPool() = default;
    StringPool(StringPool&&) = default;
    StringPool& operator=(StringPool&&) = default;
    StringPool(const StringPool&) = delete;
    StringPool& operator=(const StringPool&) = delete;

    StringId intern(std::string_view text);
    // The id of a text that was interned before, or none.
    StringId find(std::string_view text) const;
    // The text of an id; empty for none.
    std::string_view view(StringId id) const;
    std::size_t size() const { return m_texts.size(); }
    std::size_t bytes() const;

private:
    std::deque<std::string> m_texts;  // a deque never moves its elements
    std::unordered_map<std::string_view, StringId> m_ids;
};

}  // namespace overlane
