/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_LOOK_H
#define IDV_OUT_MAIL_LOOK_H

/*
 * What all e-mails to persons share: their languages, and an HTML page with the
 * name and the accent of the organization.
 *
 * - A page loads nothing and has no script. Its styles are in the elements,
 *   because some mail programs drop all others; the only style sheet is that of
 *   dark schemes.
 * - The logo is left out: mail programs show neither SVG or WebP nor data:
 *   URIs, and a remote picture would tell who reads when.
 *
 * Threads: pure. Memory: results live in the given pool; pages are wiped with
 * it, because they contain secrets. Failures: none.
 */
#include <apr_pools.h>

/* Those of the widget; the first is the fallback. */
#define IDV_MAIL_LANGUAGES(X)                                                  \
    X(EN, "en")                                                                \
    X(DE, "de")                                                                \
    X(ES, "es")                                                                \
    X(FR, "fr")                                                                \
    X(IT, "it")                                                                \
    X(NL, "nl")                                                                \
    X(PL, "pl")                                                                \
    X(PT, "pt")                                                                \
    X(TR, "tr")                                                                \
    X(UK, "uk")                                                                \
    X(AR, "ar")

typedef enum {
#define X(name, tag) IDV_MAIL_##name,
    IDV_MAIL_LANGUAGES(X)
#undef X
        IDV_MAIL_LANGUAGE_COUNT
} idv_mail_language_t;

/* The first language of WISHES, Accept-Language tags, that there is. */
idv_mail_language_t idv_mail_language(const char *wishes);

typedef struct {
    const char *name;  /* of the organization, as persons know it */
    const char *brand; /* its brand (domain/account/brand.h); NULL: none */
} idv_mail_look_t;

/* The name of LOOK in one line, cut to 200 bytes. */
const char *idv_mail_name(const idv_mail_look_t *look, apr_pool_t *pool);

/* The page with CONTENT, which is markup, in LANGUAGE. */
const char *idv_mail_page(const idv_mail_look_t *look,
                          idv_mail_language_t language, const char *content,
                          apr_pool_t *pool);

/* The markup of a link to URL that looks like a button. LABEL is markup. */
const char *idv_mail_button(const idv_mail_look_t *look, const char *url,
                            const char *label, apr_pool_t *pool);

/* Marks TEXT to be wiped with POOL; returns it. */
const char *idv_mail_wiped(char *text, apr_pool_t *pool);

#endif
