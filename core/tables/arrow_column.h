// ArrowColumn: one column of a table as the Arrow C data interface takes it: a format, and for any range of rows the
// buffers that hold them.
//
// A chunk either points into memory that lives as long as its column (a trace's own columns, nothing copied) or owns
// what was gathered. Columns are immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

struct ArrowChunk {
    std::shared_ptr<const void> owner;  // of the buffers, where the column is not
    std::vector<const void*> buffers;   // validity (nullptr: no nulls) first
    std::int64_t nulls = 0;
};

// Distinct texts, which a column names by their place.
struct ArrowTexts {
    std::vector<std::int32_t> offsets{0};
    std::string bytes;

    void add(std::string_view text);
    std::size_t size() const { return offsets.size() - 1; }
};

struct ArrowColumn {
    std::string name;
    const char* format = "l";  // of the values, or of the places in the dictionary
    bool nullable = false;
    std::shared_ptr<const ArrowTexts> dictionary;  // nullptr: none
    std::function<ArrowChunk(std::size_t first, std::size_t rows)> chunk;
};

template <typename T>
constexpr const char* arrowFormat()
{
    if constexpr (std::is_same_v<T, std::int8_t>)
        return "c";
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return "i";
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return "I";
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return "l";
    else if constexpr (std::is_same_v<T, double>)
        return "g";
}

// Bits, least first, as validity and booleans are kept.
class ArrowBits
{
public:
    explicit ArrowBits(std::size_t rows) : m_bytes((rows + 7) / 8, 0) {}
    void set(std::size_t row) { m_bytes[row / 8] = static_cast<std::uint8_t>(m_bytes[row / 8] | (1u << (row % 8))); }
    const void* data() const { return m_bytes.data(); }

private:
    std::vector<std::uint8_t> m_bytes;
};

// Values that lie in memory as Arrow has them, kept alive by `owner`.
template <typename T>
ArrowColumn columnOver(std::string name, std::shared_ptr<const void> owner, const T* values)
{
    ArrowColumn column{std::move(name), arrowFormat<T>(), false, nullptr, {}};
    column.chunk = [owner = std::move(owner), values](std::size_t first, std::size_t) {
        return ArrowChunk{owner, {nullptr, values + first}, 0};
    };
    return column;
}

// The same where some values stand for none: `isValue(row)` is asked for each row of a chunk.
template <typename T>
ArrowColumn nullableOver(std::string name, std::shared_ptr<const void> owner, const T* values,
                         std::function<bool(std::size_t)> isValue)
{
    ArrowColumn column{std::move(name), arrowFormat<T>(), true, nullptr, {}};
    column.chunk = [owner = std::move(owner), values, isValue = std::move(isValue)](std::size_t first,
                                                                                    std::size_t rows) {
        auto held = std::make_shared<std::pair<std::shared_ptr<const void>, ArrowBits>>(owner, ArrowBits(rows));
        std::int64_t nulls = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            if (isValue(first + row))
                held->second.set(row);
            else
                ++nulls;
        }
        return ArrowChunk{held, {nulls > 0 ? held->second.data() : nullptr, values + first}, nulls};
    };
    return column;
}

// Values that a function of the row makes; it holds on to what it reads.
template <typename T>
ArrowColumn columnOf(std::string name, std::function<T(std::size_t)> value)
{
    ArrowColumn column{std::move(name), arrowFormat<T>(), false, nullptr, {}};
    column.chunk = [value = std::move(value)](std::size_t first, std::size_t rows) {
        auto held = std::make_shared<std::vector<T>>(rows);
        for (std::size_t row = 0; row < rows; ++row)
            (*held)[row] = value(first + row);
        return ArrowChunk{held, {nullptr, held->data()}, 0};
    };
    return column;
}

template <typename T>
ArrowColumn nullableOf(std::string name, std::function<std::optional<T>(std::size_t)> value)
{
    ArrowColumn column{std::move(name), arrowFormat<T>(), true, nullptr, {}};
    column.chunk = [value = std::move(value)](std::size_t first, std::size_t rows) {
        auto held = std::make_shared<std::pair<std::vector<T>, ArrowBits>>(std::vector<T>(rows), ArrowBits(rows));
        std::int64_t nulls = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const std::optional<T> one = value(first + row);
            held->first[row] = one.value_or(T{});
            if (one)
                held->second.set(row);
            else
                ++nulls;
        }
        return ArrowChunk{held, {nulls > 0 ? held->second.data() : nullptr, held->first.data()}, nulls};
    };
    return column;
}

ArrowColumn flagsOf(std::string name, std::function<bool(std::size_t)> value);
ArrowColumn textsOf(std::string name, std::function<std::string(std::size_t)> value);
ArrowColumn withDictionary(ArrowColumn column, std::shared_ptr<const ArrowTexts> texts);

}  // namespace overlane
