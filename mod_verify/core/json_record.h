/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_RECORD_H
#define IDV_CORE_JSON_RECORD_H

/*
 * Converts our own structs to the text of a JSON object and back, driven by one
 * table of members.
 *
 * This is for stored data that this service wrote. It is read in one pass
 * without a tree of values, with members in any order. Unknown members are
 * skipped; all members of the table are required unless optional. This is not a
 * validator: a missing member or a wrong type is an internal error, and a fault
 * in a skipped member may go unnoticed.
 *
 * Memory: texts are copied to the given pool. Threads: pure.
 */
#include <stddef.h>

#include "core/error.h"
#include "core/json_writer.h"

typedef enum {
    IDV_JSON_MEMBER_TEXT,    /* const char *; NULL is null */
    IDV_JSON_MEMBER_RAW,     /* const char *, JSON text; NULL is null */
    IDV_JSON_MEMBER_INTEGER, /* int */
    IDV_JSON_MEMBER_TIME,    /* apr_int64_t */
    IDV_JSON_MEMBER_BOOLEAN, /* int */
    IDV_JSON_MEMBER_CUSTOM   /* written and parsed by its own functions */
} idv_json_member_kind_t;

typedef struct {
    const char *name;
    idv_json_member_kind_t kind;
    size_t offset; /* in the struct */
    int optional;  /* may be absent; then the value is unchanged */
    /* Functions of a CUSTOM member, NULL for others. VALUE points to the
     * member. `read` gets JSON text; `write` can omit an optional member. */
    void (*write)(idv_json_writer_t *writer, const char *key,
                  const void *value);
    idv_error_t *(*read)(const char *json, void *value, apr_pool_t *pool);
} idv_json_member_t;

/* A member of the struct TYPE: under its own name, under NAME, and with
 * functions of its own. */
/* clang-format off */
#define IDV_JSON_MEMBER(kind, type, member)                                    \
    {#member, IDV_JSON_MEMBER_##kind, offsetof(type, member), 0, NULL, NULL}
#define IDV_JSON_MEMBER_AS(kind, type, member, name)                           \
    {name, IDV_JSON_MEMBER_##kind, offsetof(type, member), 0, NULL, NULL}
#define IDV_JSON_MEMBER_BY(type, member, name, write, read)                    \
    {name, IDV_JSON_MEMBER_CUSTOM, offsetof(type, member), 0, write, read}
/* clang-format on */

/* A table ends with {0}, after at most this many members. */
#define IDV_JSON_RECORD_MEMBERS_MAX 64

/* Put this after a table to check its size at compile time. */
#define IDV_JSON_RECORD_CHECK(table)                                           \
    _Static_assert(sizeof(table) / sizeof(*(table)) - 1                        \
                       <= IDV_JSON_RECORD_MEMBERS_MAX,                         \
                   #table " has too many members")

/* RECORD as an object under KEY. */
void idv_json_put_record(idv_json_writer_t *writer, const char *key,
                         const idv_json_member_t *members, const void *record);

/* Fills RECORD's members from the text of an object. After an error some
 * members may be filled. */
idv_error_t *idv_json_read_record(const char *json,
                                  const idv_json_member_t *members,
                                  void *record, apr_pool_t *pool) IDV_CHECKED;

/* The string in a JSON text, copied; NULL for any other type. */
const char *idv_json_read_text(const char *json, apr_pool_t *pool);

/* Calls EACH with the JSON text of every array element, until one returns an
 * error. Internal error for anything but an array. */
idv_error_t *idv_json_read_array(const char *json,
                                 idv_error_t *(*each)(const char *json,
                                                      void *baton,
                                                      apr_pool_t *pool),
                                 void *baton, apr_pool_t *pool) IDV_CHECKED;

#endif
