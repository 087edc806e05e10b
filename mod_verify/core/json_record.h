/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_RECORD_H
#define IDV_CORE_JSON_RECORD_H

/*
 * A struct of our own as the text of a JSON object, and back: one table of its
 * members says how both are done.
 *
 * This is for what we wrote ourselves into the database. It is read in one pass
 * without a tree of values, members in any order; those that the table does not
 * name are passed over, all that it names have to be there unless they are
 * marked optional. This is no validator: a text that lacks a member, or has one
 * of another type, is an internal error; a fault in a member that is passed
 * over may go unnoticed.
 *
 * Memory: texts are copied to the pool given. Threads: pure.
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
    IDV_JSON_MEMBER_CUSTOM   /* written and read by its functions */
} idv_json_member_kind_t;

typedef struct {
    const char *name;
    idv_json_member_kind_t kind;
    size_t offset; /* in the struct */
    int optional;  /* may be absent: then it keeps its value */
    /* Functions of a CUSTOM member, NULL for others. VALUE points to the
     * member; read is given JSON text, and write may leave out what is
     * optional. */
    void (*write)(idv_json_writer_t *writer, const char *key,
                  const void *value);
    idv_error_t *(*read)(const char *json, void *value, apr_pool_t *pool);
} idv_json_member_t;

/* A member of the struct TYPE: under its own name, under the name NAME, and one
 * that is written and read by functions of its own. */
/* clang-format off */
#define IDV_JSON_MEMBER(kind, type, member)                                    \
    {#member, IDV_JSON_MEMBER_##kind, offsetof(type, member), 0, NULL, NULL}
#define IDV_JSON_MEMBER_AS(kind, type, member, name)                           \
    {name, IDV_JSON_MEMBER_##kind, offsetof(type, member), 0, NULL, NULL}
#define IDV_JSON_MEMBER_BY(type, member, name, write, read)                    \
    {name, IDV_JSON_MEMBER_CUSTOM, offsetof(type, member), 0, write, read}
/* clang-format on */

/* A table ends with {0} and has at most this many members before it. */
#define IDV_JSON_RECORD_MEMBERS_MAX 64

/* For behind a table: the compiler counts. */
#define IDV_JSON_RECORD_CHECK(table)                                           \
    _Static_assert(sizeof(table) / sizeof(*(table)) - 1                        \
                       <= IDV_JSON_RECORD_MEMBERS_MAX,                         \
                   #table " has too many members")

/* RECORD as an object under KEY. */
void idv_json_put_record(idv_json_writer_t *writer, const char *key,
                         const idv_json_member_t *members, const void *record);

/* Fills RECORD's members from the text of an object; after an error some of
 * them may be filled. */
idv_error_t *idv_json_read_record(const char *json,
                                  const idv_json_member_t *members,
                                  void *record, apr_pool_t *pool) IDV_CHECKED;

/* The string in the JSON text of one, copied; NULL for anything else. */
const char *idv_json_read_text(const char *json, apr_pool_t *pool);

/* Calls EACH with the JSON text of every element of an array, until one gives
 * an error; an internal error for anything but an array. */
idv_error_t *idv_json_read_array(const char *json,
                                 idv_error_t *(*each)(const char *json,
                                                      void *baton,
                                                      apr_pool_t *pool),
                                 void *baton, apr_pool_t *pool) IDV_CHECKED;

#endif
