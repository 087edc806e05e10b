/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_WRITER_H
#define IDV_CORE_JSON_WRITER_H

/*
 * The writer of JSON: straight into one growing text, without a tree of values
 * in between, in the compact form, with the escapes of jansson. A tree that there
 * is anyhow becomes text by idv_json_put_value() and idv_json_text() alone.
 *
 * A value stands under KEY inside of an object and under NULL inside of an
 * array or alone; the commas come by themselves. Keys are constants that need
 * no escapes; texts have to be UTF-8. Whoever writes has to close what he
 * opened: nothing is checked.
 *
 * Memory: the text grows in the pool that the writer was made with, and what
 * it has outgrown stays there until the pool goes; say at the beginning what
 * length to expect. There are no failures: APR ends a process without memory.
 * Threads: a writer belongs to one at a time.
 */
#include <jansson.h>

#include <apr_pools.h>

#include "core/clock.h"

typedef struct {
    char *text;
    apr_size_t length, size;
    int follows; /* a comma belongs before the next value */
    apr_pool_t *pool;
} idv_json_writer_t;

/* Begins with room for EXPECTED bytes. */
void idv_json_writer_init(idv_json_writer_t *writer, apr_size_t expected,
                          apr_pool_t *pool);

/* Forgets what was written and keeps the room that it took. */
void idv_json_writer_clear(idv_json_writer_t *writer);

/* What was written, with a NUL behind it; its length goes to *LENGTH when that
 * is not NULL. Good until more is written. */
const char *idv_json_writer_text(idv_json_writer_t *writer, apr_size_t *length);

/* What is put between an opening and its closing is inside. */
void idv_json_open_object(idv_json_writer_t *writer, const char *key);
void idv_json_close_object(idv_json_writer_t *writer);
void idv_json_open_array(idv_json_writer_t *writer, const char *key);
void idv_json_close_array(idv_json_writer_t *writer);

/* A string; null for NULL. */
void idv_json_put_text(idv_json_writer_t *writer, const char *key,
                       const char *text);
void idv_json_put_integer(idv_json_writer_t *writer, const char *key,
                          apr_int64_t value);
/* An integer, or null for zero and below. */
void idv_json_put_positive(idv_json_writer_t *writer, const char *key,
                           apr_int64_t value);
/* TIME as whole Unix seconds; null for none. */
void idv_json_put_seconds(idv_json_writer_t *writer, const char *key,
                          idv_time_t time);
void idv_json_put_boolean(idv_json_writer_t *writer, const char *key,
                          int value);
void idv_json_put_null(idv_json_writer_t *writer, const char *key);

/* A value that is JSON text already, as it is; null for NULL. */
void idv_json_put_raw(idv_json_writer_t *writer, const char *key,
                      const char *json);
/* The same for a value of jansson's, keys in their order, doubles with the digits
 * that mean something (0.98, not 0.97999999999999998). */
void idv_json_put_value(idv_json_writer_t *writer, const char *key,
                        const json_t *value);

/* The compact text of VALUE; NULL for NULL. */
const char *idv_json_text(const json_t *value, apr_pool_t *pool);

#endif
