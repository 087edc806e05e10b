/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_JURISDICTION_H
#define IDV_DOMAIN_VALUE_JURISDICTION_H

/*
 * Countries, and the jurisdictions that are made of them.
 *
 * The table of countries is countries.def (how it was made stands there). It
 * holds every officially assigned code of ISO 3166-1 and the user-assigned XK
 * (Kosovo), which documents and registries use, each with the place where its
 * calendar day begins last.
 *
 * A jurisdiction is an ISO 3166-1 alpha-2 country, optionally with a region of
 * one to three letters or digits (ISO 3166-2), "US" or "US-CA". The country has
 * to stand in the table, the region has to be one of the country's where the law
 * is made by regions (AU, CA, US): a misspelt one must not pass for a region
 * that has no rules. A territory of the United States with a country code of its
 * own is the same jurisdiction as the region of that name: "PR" is "US-PR". All
 * are held in the normal form: upper case, with a hyphen.
 *
 * Memory: results live in the given pool. Threads: pure, on constant data.
 */
#include "core/error.h"
#include "domain/value/civil_date.h"

typedef struct {
    char alpha2[3];
    char alpha3[4];
    int utc_offset; /* minutes; the westernmost zone, standard time */
} idv_country_t;

/* The entry of an upper-case code of two or three letters; NULL: unknown. */
const idv_country_t *idv_country_by_alpha2(const char *code);
const idv_country_t *idv_country_by_alpha3(const char *code);

/* Bytes of the longest, with its NUL: "AU-NSW". */
#define IDV_JURISDICTION_SIZE 7

#define IDV_JURISDICTION_SOURCES(X)                                            \
    X(EXPLICIT, "explicit")                                                    \
    X(GEO_HEADER, "geo_header")                                                \
    X(IP_DATABASE, "ip_database")                                              \
    X(WORKFLOW, "workflow")

typedef enum {
    IDV_JURISDICTION_UNRESOLVED,
#define X(name, value) IDV_JURISDICTION_##name,
    IDV_JURISDICTION_SOURCES(X)
#undef X
    IDV_JURISDICTION_SOURCE_COUNT
} idv_jurisdiction_source_t;

/* The value of jurisdiction_audit_source; NULL when unresolved. */
const char *idv_jurisdiction_source_value(idv_jurisdiction_source_t source);

/* What is known, in the order in which it is believed. NULL: not known. All
 * in the normal form. */
typedef struct {
    const char *declared;    /* the request's parameter */
    const char *geo_header;  /* configured headers of a trusted proxy */
    const char *ip_database; /* of the client's address */
    const char *workflow;    /* the workflow's only jurisdiction */
} idv_jurisdiction_sources_t;

/* The session's jurisdiction and its audit fields. */
typedef struct {
    const char *resolved; /* NULL when unresolved */
    const char *declared;
    const char *ip_derived; /* the geo header, else the database */
    idv_jurisdiction_source_t source;
    int mismatch; /* -1: cannot be said; else declared against ip_derived */
} idv_jurisdiction_audit_t;

/* The normal form of TEXT (any case, "us-ca"); NULL when it is none. */
const char *idv_jurisdiction_normalize(const char *text, apr_pool_t *pool);

/* The normal form of a country and a region as geo headers and databases give
 * them; an unusable region is left away, an unusable country ("XX", "T1", "",
 * NULL) gives NULL. */
const char *idv_jurisdiction_join(const char *country, const char *region,
                                  apr_pool_t *pool);

/* The calendar date at NOW in JURISDICTION, a country ("DE") or a country with
 * a region ("US-HI"): where it has several, the earliest, so that a day counts
 * only once it has begun in all of the jurisdiction. Daylight saving time is
 * left out, which moves the change of date one hour later at most. A region
 * without an entry of its own counts as its whole country; NULL or an unknown
 * country as the last place on earth, UTC-12. */
idv_date_t idv_jurisdiction_date(const char *jurisdiction, idv_time_t now);

/* `parameter_invalid` at PARAM when TEXT is no jurisdiction. */
idv_error_t *idv_jurisdiction_parse(const char *text, const char *param,
                                    const char **out,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when WIDER is PART or its country: "US" covers "US-CA", not the
 * other way round. */
int idv_jurisdiction_covers(const char *wider, const char *part);

/* Non-zero when the two contradict each other; "US" and "US-CA" do not. */
int idv_jurisdiction_disagree(const char *a, const char *b);

/* Resolves by precedence: parameter, geo header, database, workflow. The
 * strings are borrowed from SOURCES. */
void idv_jurisdiction_resolve(const idv_jurisdiction_sources_t *sources,
                              idv_jurisdiction_audit_t *audit);

/* Lets the place decide where the request comes from (geo header, database),
 * instead of what it declared. Only where that is known: audit->ip_derived. */
void idv_jurisdiction_believe_place(const idv_jurisdiction_sources_t *sources,
                                    idv_jurisdiction_audit_t *audit);

#endif
