/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_FINDINGS_READER_H
#define IDV_METHODS_FINDINGS_READER_H

/*
 * Parses findings: the results of a method's evidence, as JSON from a process
 * that this evidence may have taken over (analyze/sandbox.h). It trusts
 * nothing: each value must have its type and be within bounds, a missing member
 * is as wrong as one of another type, and members that nobody reads are found
 * by counting (idv_findings_has_members).
 *
 * A walk through findings continues after a deviation and keeps the first one,
 * so that a method reads each value in one line; after a deviation the results
 * are dummy values of the right type. idv_findings_end() finally reports the
 * deviation, with its place and never with a value, which may be personal data.
 *
 * The method interprets its findings. It reports contradictions with
 * idv_findings_fault().
 *
 * Memory: the pool of the walk; texts are copied into it, bytes in it are wiped
 * with it. Threads: pure. Failures: internal errors, only of
 * idv_findings_begin() and idv_findings_end().
 */
#include <apr_tables.h>
#include <jansson.h>

#include "core/crypto.h"
#include "core/error.h"
#include "domain/value/civil_date.h"

/* The maximum processor time of reading that findings may state. */
#define IDV_FINDINGS_MILLISECONDS_MAX 600000

/* A walk; idv_findings_begin() makes one. */
typedef struct {
    const json_t *root; /* an object */
    const char *fault;  /* the place of the first deviation; NULL: none yet */
    apr_pool_t *pool;
} idv_findings_reading_t;

/* Begins a walk through TEXT; an error if it is longer than MOST bytes or not a
 * JSON object. */
idv_error_t *idv_findings_begin(idv_findings_reading_t *reading,
                                idv_bytes_t text, apr_size_t most,
                                apr_pool_t *pool) IDV_CHECKED;

/* An error if there was a deviation. */
idv_error_t *
idv_findings_end(const idv_findings_reading_t *reading) IDV_CHECKED;

/* Notes a deviation at PLACE, a static text. */
void idv_findings_fault(idv_findings_reading_t *reading, const char *place);

/* Non-zero if VALUE is an object of exactly COUNT members. */
int idv_findings_has_members(idv_findings_reading_t *reading,
                             const json_t *value, int count, const char *place);

/* --- the member KEY of OBJECT --- */

/* NULL if it is missing. */
const json_t *idv_findings_member(idv_findings_reading_t *reading,
                                  const json_t *object, const char *key);

/* An array of at most MOST items; an empty one after a deviation. */
const json_t *idv_findings_array(idv_findings_reading_t *reading,
                                 const json_t *object, const char *key,
                                 size_t most);

int idv_findings_boolean(idv_findings_reading_t *reading, const json_t *object,
                         const char *key);

/* A finite number from 0 to MOST. */
double idv_findings_number(idv_findings_reading_t *reading,
                           const json_t *object, const char *key, double most);

/* A whole number from LEAST to MOST; not negative after a deviation. */
apr_int64_t idv_findings_integer(idv_findings_reading_t *reading,
                                 const json_t *object, const char *key,
                                 apr_int64_t least, apr_int64_t most);

/* A text of 1 to MOST bytes without control characters; NULL for null. */
const char *idv_findings_text(idv_findings_reading_t *reading,
                              const json_t *object, const char *key,
                              size_t most);

/* The same, of at least LEAST bytes and only characters of SET. */
typedef struct {
    size_t least, most;
    const char *set;
} idv_findings_word_t;
const char *idv_findings_word(idv_findings_reading_t *reading,
                              const json_t *object, const char *key,
                              const idv_findings_word_t *word);

/* The value of a stable code by FIND, which returns -1 for unknown text; -1 for
 * null. */
int idv_findings_code(idv_findings_reading_t *reading, const json_t *object,
                      const char *key, int (*find)(const char *code));

/* A date in ISO 8601, possibly partial if MAY_BE_OPEN; year 0 for null. */
idv_date_t idv_findings_date(idv_findings_reading_t *reading,
                             const json_t *object, const char *key,
                             int may_be_open);

/* 1 to MOST bytes in base64url without padding; length 0 for null. */
idv_bytes_t idv_findings_bytes(idv_findings_reading_t *reading,
                               const json_t *object, const char *key,
                               apr_size_t most);

/* The same for VALUE, which is at PLACE. */
idv_bytes_t idv_findings_bytes_of(idv_findings_reading_t *reading,
                                  const json_t *value, const char *place,
                                  apr_size_t most);

/* Adds the texts of an array, at most COUNT of 1 to MOST bytes each, to TEXTS,
 * an array of const char *. */
void idv_findings_texts(idv_findings_reading_t *reading, const json_t *object,
                        const char *key, size_t count, size_t most,
                        apr_array_header_t *texts);

#endif
