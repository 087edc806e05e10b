/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_WRITER_H
#define IDV_CORE_JSON_WRITER_H

/*
 * The JSON writer: writes compact text directly, without a tree of values, with
 * the escapes of jansson. Existing trees are only serialized with
 * idv_json_put_value() and idv_json_text().
 *
 * Inside an object pass KEY; inside an array or for a single value pass NULL.
 * Commas are inserted automatically. Keys are constants that need no escapes;
 * texts must be UTF-8. The caller must close what it opens; nothing is checked.
 *
 * Memory: the text grows in the writer's pool; outgrown buffers remain there
 * until the pool is cleared, so pass the expected length at the start.
 * Failures: none; without memory APR ends the process. Threads: one at a time
 * per writer.
 */
#include <jansson.h>

#include <apr_pools.h>

#include "core/clock.h"

typedef struct {
    char *text;
    apr_size_t length, size;
    int follows; /* flag: a comma is needed before the next value */
    apr_pool_t *pool;
} idv_json_writer_t;

/* Initializes WRITER with room for EXPECTED bytes. */
void idv_json_writer_init(idv_json_writer_t *writer, apr_size_t expected,
                          apr_pool_t *pool);

/* Discards the text but keeps the buffer. */
void idv_json_writer_clear(idv_json_writer_t *writer);

/* The text written so far, NUL-terminated; its length is stored in *LENGTH
 * unless that is NULL. Valid until the next write. */
const char *idv_json_writer_text(idv_json_writer_t *writer, apr_size_t *length);

/* Values written between open and close are inside. */
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
/* TIME in whole Unix seconds; null for none. */
void idv_json_put_seconds(idv_json_writer_t *writer, const char *key,
                          idv_time_t time);
void idv_json_put_boolean(idv_json_writer_t *writer, const char *key,
                          int value);
void idv_json_put_null(idv_json_writer_t *writer, const char *key);

/* JSON text, written unchanged; null for NULL. */
void idv_json_put_raw(idv_json_writer_t *writer, const char *key,
                      const char *json);
/* Likewise for a jansson value: keys in their order, doubles with significant
 * digits only (0.98, not 0.97999999999999998). */
void idv_json_put_value(idv_json_writer_t *writer, const char *key,
                        const json_t *value);

/* The compact text of VALUE; NULL for NULL. */
const char *idv_json_text(const json_t *value, apr_pool_t *pool);

#endif
