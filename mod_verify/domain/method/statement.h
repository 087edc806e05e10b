/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_STATEMENT_H
#define IDV_DOMAIN_METHOD_STATEMENT_H

/*
 * Statements for `self_attestation`: what a person can declare in a workflow,
 * each with a version, the jurisdictions that it applies to and its text in
 * several languages.
 *
 * A session uses the first statement for its jurisdiction. A workflow without
 * statements uses the default one in this file, so that there is always one to
 * agree to. A declaration is recorded by name, version, language and the
 * SHA-256 of the exact text; the texts themselves are in the workflow's
 * version.
 *
 * Memory: everything lives in the given pool, texts in that of the JSON or in
 * this file. Threads: immutable. Failures: those of parsing, as texts.
 */
#include <apr_pools.h>
#include <jansson.h>

#include "core/json_writer.h"

#define IDV_STATEMENTS_MAX 20
#define IDV_STATEMENT_NAME_MAX 64
#define IDV_STATEMENT_VERSION_MAX 64
#define IDV_STATEMENT_TEXT_MAX 2000 /* Unicode characters */
#define IDV_STATEMENT_LANGUAGES_MAX 50
#define IDV_LANGUAGE_TAG_MAX 35 /* RFC 5646, 4.4.1 */

typedef struct {
    const char *language; /* a tag, such as "de" or "pt-BR" */
    const char *text;
} idv_statement_text_t;

typedef struct {
    const char *name;
    const char *version;
    const char *const *jurisdictions;  /* normal form */
    int jurisdiction_count;            /* 0: any */
    const idv_statement_text_t *texts; /* at least one; the first is the
                                        * fallback */
    int text_count;
} idv_statement_t;

typedef struct {
    const idv_statement_t *items;
    int count;
} idv_statement_list_t;

/* A declaration. */
typedef struct {
    const char *name;
    const char *version;
    const char *language;
    const char *sha256; /* of the text in UTF-8, hexadecimal */
} idv_attestation_t;

/* What is wrong with a statement. */
typedef struct {
    const char *rule; /* of WorkflowFault in openapi.json */
    const char *message;
} idv_statement_fault_t;

/* Parses VALUE, an array of statements, into LIST. Returns NULL, or what is
 * wrong and, in *POINTER, where (RFC 6901, relative to VALUE). */
const idv_statement_fault_t *
idv_statements_read(const json_t *value, idv_statement_list_t *list,
                    const char **pointer, apr_pool_t *pool);

/* The array that idv_statements_read() parses. New reference. */
json_t *idv_statements_json(const idv_statement_list_t *list);

/* The statement of LIST for JURISDICTION (normal form; NULL: unknown); NULL if
 * LIST has statements, but none for it. */
const idv_statement_t *idv_statement_for(const idv_statement_list_t *list,
                                         const char *jurisdiction);

/* Fills AGREED for the text of STATEMENT in LANGUAGE (NULL: the first); zero if
 * there is no text in that language. */
int idv_statement_agree(const idv_statement_t *statement, const char *language,
                        idv_attestation_t *agreed, apr_pool_t *pool);

/* {name, version, texts}, or null, for display on the page. */
void idv_statement_write(idv_json_writer_t *writer, const char *key,
                         const idv_statement_t *statement);

#endif
