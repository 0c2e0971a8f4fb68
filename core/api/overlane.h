/* liboverlane: the answers of the command line `overlane` as functions of C, for Python and any other language.
 *
 * A trace is opened once and asked as often as one likes. Questions and their arguments are those of the command line;
 * answers are the JSON of its --json, tables are streams of the Arrow C data interface. Times are nanoseconds since the
 * start of the trace, sizes bytes. Every function may be called from any thread, and a trace from several at once; the
 * calling thread does the work, and any other may look at its overlane_progress or cancel it. Nothing is printed, and
 * no handler of a signal is set.
 *
 * A function that fails says why in *text as JSON: "message" (the sentence of the command line), and its parts "what",
 * "where" and "advice". Texts are freed with overlane_text_free(). Names and numbers below are stable: append, never
 * change; overlane_abi() grows when something is appended. */
#ifndef OVERLANE_H
#define OVERLANE_H

#include <stdint.h>

#ifdef __cplusplus
#define OVERLANE_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define OVERLANE_EXPORT extern __attribute__((visibility("default")))
#endif

#define OVERLANE_ABI 1

/* As the exit codes of the command line. */
#define OVERLANE_OK 0
#define OVERLANE_FAILED 1 /* a file, a disk or a run */
#define OVERLANE_USAGE 2  /* a question or an argument that does not exist */
#define OVERLANE_CANCELLED 130

typedef struct overlane_trace overlane_trace;
typedef struct overlane_progress overlane_progress;
struct ArrowArrayStream; /* https://arrow.apache.org/docs/format/CStreamInterface.html */

OVERLANE_EXPORT int overlane_abi(void);
OVERLANE_EXPORT const char* overlane_version(void); /* static */
OVERLANE_EXPORT void overlane_text_free(char* text);

OVERLANE_EXPORT overlane_progress* overlane_progress_new(void);
OVERLANE_EXPORT double overlane_progress_fraction(const overlane_progress* progress); /* 0 to 1 */
OVERLANE_EXPORT void overlane_progress_cancel(overlane_progress* progress);
OVERLANE_EXPORT void overlane_progress_free(overlane_progress* progress);

/* Opens a file of any format. *text is a JSON object about the trace: file, format, events, span_ns, damage ... A
 * damaged file opens as far as it can be read. `progress` may be NULL everywhere. */
OVERLANE_EXPORT int overlane_open(const char* path, overlane_progress* progress, overlane_trace** trace, char** text);
/* Streams of its tables stay valid. */
OVERLANE_EXPORT void overlane_trace_free(overlane_trace* trace);

/* Asks a question: "facts", "info", "overlap", "names", "whatif", "check", "report", "picture", "convert" of a trace,
 * "compare" of two (and "check" and "report" against `other`), "run", "sweep", "advise", "lists" of none. `arguments`
 * is a JSON object with the options of the command of that name; NULL is none. A run hands its trace out in *made where
 * `made` is not NULL. */
OVERLANE_EXPORT int overlane_ask(const overlane_trace* trace, const overlane_trace* other, const char* question,
                                 const char* arguments, overlane_progress* progress, overlane_trace** made,
                                 char** text);

/* A table of a trace as a stream of record batches of at most 65,536 rows. `stream` is the caller's, empty. *text is a
 * JSON object with its columns and number of rows. With `stream` NULL nothing but that. */
OVERLANE_EXPORT int overlane_table(const overlane_trace* trace, const char* name, const char* arguments,
                                   overlane_progress* progress, struct ArrowArrayStream* stream, char** text);

/* Memory for a stream; freeing it releases a stream that was not taken over. */
OVERLANE_EXPORT struct ArrowArrayStream* overlane_stream_new(void);
OVERLANE_EXPORT void overlane_stream_free(struct ArrowArrayStream* stream);

/* Destructors of the PyCapsules that hold a stream or a schema, so that no Python code runs while an object dies.
 * PyCapsule_GetPointer is handed in once, since this library is linked to no Python. */
OVERLANE_EXPORT void overlane_capsule_reader(void* (*pyCapsuleGetPointer)(void* capsule, const char* name));
OVERLANE_EXPORT void overlane_capsule_free_stream(void* capsule);
OVERLANE_EXPORT void overlane_capsule_free_schema(void* capsule);
/* The schema of a stream in memory of its own, for such a capsule; NULL where there is none. */
OVERLANE_EXPORT void* overlane_schema_new(struct ArrowArrayStream* stream);

#endif
