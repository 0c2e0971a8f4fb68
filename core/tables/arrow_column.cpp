#include "core/tables/arrow_column.h"

#include <limits>
#include <stdexcept>
#include <utility>

namespace overlane
{

void ArrowTexts::add(std::string_view text)
{
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) - bytes.size())
        throw std::length_error("The names of the trace have more than 2 GiB; take a table without names.");
    bytes += text;
    offsets.push_back(static_cast<std::int32_t>(bytes.size()));
}

ArrowColumn flagsOf(std::string name, std::function<bool(std::size_t)> value)
{
    ArrowColumn column{std::move(name), "b", false, nullptr, {}};
    column.chunk = [value = std::move(value)](std::size_t first, std::size_t rows) {
        auto held = std::make_shared<ArrowBits>(rows);
        for (std::size_t row = 0; row < rows; ++row)
            if (value(first + row))
                held->set(row);
        return ArrowChunk{held, {nullptr, held->data()}, 0};
    };
    return column;
}

ArrowColumn textsOf(std::string name, std::function<std::string(std::size_t)> value)
{
    ArrowColumn column{std::move(name), "u", false, nullptr, {}};
    column.chunk = [value = std::move(value)](std::size_t first, std::size_t rows) {
        auto held = std::make_shared<ArrowTexts>();
        for (std::size_t row = 0; row < rows; ++row)
            held->add(value(first + row));
        return ArrowChunk{held, {nullptr, held->offsets.data(), held->bytes.data()}, 0};
    };
    return column;
}

ArrowColumn withDictionary(ArrowColumn column, std::shared_ptr<const ArrowTexts> texts)
{
    column.dictionary = std::move(texts);
    return column;
}

}  // namespace overlane
