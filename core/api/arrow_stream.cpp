#include "core/api/arrow_stream.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

namespace overlane
{
namespace
{

// What a schema holds on to: its texts and its children.
struct HeldSchema {
    std::string name;
    std::vector<ArrowSchema> children;
    std::vector<ArrowSchema*> places;
    std::unique_ptr<ArrowSchema> dictionary;
};

void releaseSchema(ArrowSchema* schema)
{
    const std::unique_ptr<HeldSchema> held(static_cast<HeldSchema*>(schema->private_data));
    for (ArrowSchema& child : held->children)
        if (child.release != nullptr)
            child.release(&child);
    if (held->dictionary && held->dictionary->release != nullptr)
        held->dictionary->release(held->dictionary.get());
    schema->release = nullptr;
}

void fillSchema(const char* format, std::string name, bool nullable, std::size_t children, ArrowSchema* schema)
{
    auto held = std::make_unique<HeldSchema>();
    held->name = std::move(name);
    held->children.resize(children);
    for (ArrowSchema& child : held->children)
        held->places.push_back(&child);
    *schema = {};
    schema->format = format;
    schema->name = held->name.c_str();
    schema->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
    schema->n_children = static_cast<std::int64_t>(children);
    schema->children = children > 0 ? held->places.data() : nullptr;
    schema->release = releaseSchema;
    schema->private_data = held.release();
}

void fillColumnSchema(const ArrowColumn& column, ArrowSchema* schema)
{
    fillSchema(column.format, column.name, column.nullable, 0, schema);
    if (!column.dictionary)
        return;
    auto& held = *static_cast<HeldSchema*>(schema->private_data);
    held.dictionary = std::make_unique<ArrowSchema>();
    fillSchema("u", "", false, 0, held.dictionary.get());
    schema->dictionary = held.dictionary.get();
}

// What an array holds on to: the memory behind its buffers, and its children.
struct HeldArray {
    std::shared_ptr<const void> owner;
    std::shared_ptr<const ArrowTable> table;
    std::vector<const void*> buffers;
    std::vector<ArrowArray> children;
    std::vector<ArrowArray*> places;
    std::unique_ptr<ArrowArray> dictionary;
};

void releaseArray(ArrowArray* array)
{
    const std::unique_ptr<HeldArray> held(static_cast<HeldArray*>(array->private_data));
    for (ArrowArray& child : held->children)
        if (child.release != nullptr)
            child.release(&child);
    if (held->dictionary && held->dictionary->release != nullptr)
        held->dictionary->release(held->dictionary.get());
    array->release = nullptr;
}

void fillArray(std::unique_ptr<HeldArray> held, std::size_t rows, std::int64_t nulls, ArrowArray* array)
{
    *array = {};
    array->length = static_cast<std::int64_t>(rows);
    array->null_count = nulls;
    array->n_buffers = static_cast<std::int64_t>(held->buffers.size());
    array->buffers = held->buffers.data();
    array->n_children = static_cast<std::int64_t>(held->children.size());
    for (ArrowArray& child : held->children)
        held->places.push_back(&child);
    array->children = held->children.empty() ? nullptr : held->places.data();
    array->dictionary = held->dictionary.get();
    array->release = releaseArray;
    array->private_data = held.release();
}

void fillColumn(const std::shared_ptr<const ArrowTable>& table, const ArrowColumn& column, std::size_t first,
                std::size_t rows, ArrowArray* array)
{
    ArrowChunk chunk = column.chunk(first, rows);
    auto held = std::make_unique<HeldArray>();
    held->owner = std::move(chunk.owner);
    held->table = table;
    held->buffers = std::move(chunk.buffers);
    if (column.dictionary) {
        const ArrowTexts& texts = *column.dictionary;
        auto inner = std::make_unique<HeldArray>();
        inner->owner = column.dictionary;
        inner->buffers = {nullptr, texts.offsets.data(), texts.bytes.data()};
        held->dictionary = std::make_unique<ArrowArray>();
        fillArray(std::move(inner), texts.size(), 0, held->dictionary.get());
    }
    fillArray(std::move(held), rows, chunk.nulls, array);
}

struct HeldStream {
    std::shared_ptr<const ArrowTable> table;
    std::size_t at = 0;
    std::string error;
};

// Runs `work`; an exception becomes an error number, and its text what get_last_error answers.
template <typename Work>
int guarded(HeldStream& held, Work work)
{
    try {
        work();
        return 0;
    } catch (const std::bad_alloc&) {
        held.error = "Memory does not suffice for the next rows; close other programs, or take fewer columns.";
        return ENOMEM;
    } catch (const std::exception& error) {
        held.error = error.what();
        return EIO;
    }
}

int streamSchema(ArrowArrayStream* stream, ArrowSchema* out)
{
    auto& held = *static_cast<HeldStream*>(stream->private_data);
    return guarded(held, [&] {
        const std::vector<ArrowColumn>& columns = held.table->columns;
        ArrowSchema schema;
        fillSchema("+s", "", false, columns.size(), &schema);
        for (std::size_t at = 0; at < columns.size(); ++at)
            fillColumnSchema(columns[at], schema.children[at]);
        *out = schema;
    });
}

int streamNext(ArrowArrayStream* stream, ArrowArray* out)
{
    auto& held = *static_cast<HeldStream*>(stream->private_data);
    return guarded(held, [&] {
        const ArrowTable& table = *held.table;
        const std::size_t rows = std::min(kMostBatchRows, table.rows - held.at);
        *out = {};
        if (rows == 0)
            return;
        auto root = std::make_unique<HeldArray>();
        root->table = held.table;
        root->buffers = {nullptr};
        root->children.resize(table.columns.size());
        HeldArray& fields = *root;
        ArrowArray array;
        fillArray(std::move(root), rows, 0, &array);
        try {
            for (std::size_t at = 0; at < table.columns.size(); ++at)
                fillColumn(held.table, table.columns[at], held.at, rows, &fields.children[at]);
        } catch (...) {
            array.release(&array);
            throw;
        }
        held.at += rows;
        *out = array;
    });
}

const char* streamError(ArrowArrayStream* stream)
{
    const auto& held = *static_cast<const HeldStream*>(stream->private_data);
    return held.error.empty() ? nullptr : held.error.c_str();
}

void releaseStream(ArrowArrayStream* stream)
{
    const std::unique_ptr<HeldStream> held(static_cast<HeldStream*>(stream->private_data));
    stream->release = nullptr;
}

}  // namespace

void exportStream(std::shared_ptr<const ArrowTable> table, ArrowArrayStream* stream)
{
    auto held = std::make_unique<HeldStream>();
    held->table = std::move(table);
    *stream = {streamSchema, streamNext, streamError, releaseStream, held.release()};
}

}  // namespace overlane
