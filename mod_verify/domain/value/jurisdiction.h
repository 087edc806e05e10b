/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_JURISDICTION_H
#define IDV_DOMAIN_VALUE_JURISDICTION_H

/*
 * Countries, and the jurisdictions composed of them.
 *
 * The table of countries is countries.def, which also says how it was made. It
 * contains every officially assigned code of ISO 3166-1 and the user-assigned
 * XK (Kosovo), which documents and registries use, each with the UTC offset of
 * the place where its calendar day begins last.
 *
 * A jurisdiction is an ISO 3166-1 alpha-2 country, optionally with a region of
 * one to three letters or digits (ISO 3166-2): "US" or "US-CA". The country
 * must be in the table. Where regions make the law (AU, CA, US), the region
 * must exist, so that a misspelt one does not pass for a region without rules.
 * A territory of the United States with its own country code is the same
 * jurisdiction as the region: "PR" is "US-PR". The normal form is upper case
 * with a hyphen.
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

/* Size of the longest, "AU-NSW", with its NUL. */
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

/* The value of jurisdiction_audit_source; NULL if unresolved. */
const char *idv_jurisdiction_source_value(idv_jurisdiction_source_t source);

/* Known jurisdictions in order of precedence, in normal form. NULL: unknown. */
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
    int mismatch; /* declared against ip_derived; -1: unknown */
} idv_jurisdiction_audit_t;

/* The normal form of TEXT (any case, "us-ca"); NULL if invalid. */
const char *idv_jurisdiction_normalize(const char *text, apr_pool_t *pool);

/* The normal form of country and region from geo headers and databases. An
 * unusable region is dropped; an unusable country ("XX", "T1", "", NULL) gives
 * NULL. */
const char *idv_jurisdiction_join(const char *country, const char *region,
                                  apr_pool_t *pool);

/* The calendar date at NOW in JURISDICTION, a country ("DE") or a country with
 * a region ("US-HI"). If several dates apply there, the earliest is returned,
 * so that a day counts only once it has begun everywhere. Daylight saving time
 * is ignored, which delays the change of date by at most one hour. A region
 * without an entry uses its whole country; NULL or an unknown country uses the
 * last place on earth, UTC-12. */
idv_date_t idv_jurisdiction_date(const char *jurisdiction, idv_time_t now);

/* `parameter_invalid` at PARAM unless TEXT is a jurisdiction. */
idv_error_t *idv_jurisdiction_parse(const char *text, const char *param,
                                    const char **out,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if WIDER is PART or its country: "US" covers "US-CA", but not the
 * reverse. */
int idv_jurisdiction_covers(const char *wider, const char *part);

/* Non-zero if the two contradict each other; "US" and "US-CA" do not. */
int idv_jurisdiction_disagree(const char *a, const char *b);

/* Resolves by precedence: parameter, geo header, database, workflow. The
 * strings are borrowed from SOURCES. */
void idv_jurisdiction_resolve(const idv_jurisdiction_sources_t *sources,
                              idv_jurisdiction_audit_t *audit);

/* Uses the location of the request (geo header, database) instead of the
 * declared jurisdiction. Requires a known location: audit->ip_derived. */
void idv_jurisdiction_believe_place(const idv_jurisdiction_sources_t *sources,
                                    idv_jurisdiction_audit_t *audit);

#endif
