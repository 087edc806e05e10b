/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ACCOUNT_ORGANIZATION_H
#define IDV_STORE_ACCOUNT_ORGANIZATION_H

/*
 * Organizations and their applications, as the operator manages them; their
 * keys are store/account/api_key.h's. What does not exist is `resource_missing`.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"

/* For what two people are needed. */
typedef struct {
    int publish; /* who has changed a draft does not publish it */
    /* Who alone is against a session that was verified does not reject it:
     * somebody else has flagged or escalated it; store/session/review_work.h. */
    int reject;
    /* Nobody erases a person alone: one asks, another confirms; store/transaction/erasure.h.
     */
    int erase;
} idv_four_eyes_t;

/* How many requests each of its keys may make in a minute, 1 to
 * IDV_RATE_LIMIT_MAX; 0: as many as the server allows (VerifyRateLimit). */
typedef struct {
    apr_int64_t secret;
    apr_int64_t publishable;
} idv_rate_limits_t;

typedef struct {
    const char *id;
    const char *name;
    int sandbox;
    const char *billing_status; /* active, suspended */
    apr_int64_t free_allotment; /* verifications a calendar month */
    apr_int64_t credit_balance;
    const char *publishable_session_create; /* allowed, blocked */
    idv_four_eyes_t four_eyes;
    idv_rate_limits_t rate_limits;
    idv_time_t disabled_at; /* 0: it is not */
    idv_time_t created;
    idv_time_t updated;
} idv_organization_t;

/* NULL, or a negative number, leaves a setting as it is. */
typedef struct {
    const char *name;
    const char *billing_status;
    apr_int64_t free_allotment;
    const char *publishable_session_create;
} idv_organization_update_t;

/* A new organization, with the default settings. */
idv_error_t *idv_organization_create(idv_db_t *db, const char *name,
                                     int sandbox, idv_organization_t **out,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The organization with this id. */
idv_error_t *idv_organization_find(idv_db_t *db, const char *id,
                                   idv_organization_t **out,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Lets the organization's keys and persons in no more, from their next request
 * on, or again. What it has stays, webhooks of what has happened are sent, and
 * its sessions end by time. */
idv_error_t *idv_organization_disable(idv_db_t *db, const char *id,
                                      int is_disabled, idv_organization_t **out,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Up to LIMIT of all there are, newer than the id AFTER (NULL: from the
 * oldest), as an array of idv_organization_t *. */
idv_error_t *idv_organization_list(idv_db_t *db, const char *after, int limit,
                                   apr_array_header_t **organizations,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Which organizations an operator asks for. */
typedef struct {
    const char *const *visible; /* their ids, to a NULL; NULL: all */
    /* The beginning of a name in any case, or an id; NULL: any. */
    const char *search;
    idv_cursor_t cursor;
} idv_organization_filter_t;

/* A page of them, newest first, as an array of idv_organization_t *. */
idv_error_t *idv_organization_page(idv_db_t *db,
                                   const idv_organization_filter_t *filter,
                                   apr_array_header_t **organizations,
                                   int *has_more, apr_pool_t *pool) IDV_CHECKED;

/* What an operator's request to an organization depends on, as a key's does. */
typedef struct {
    int sandbox;
    int billing_suspended;
    int disabled;
} idv_organization_standing_t;

/* That of SCOPE's organization. An application that is not the organization's
 * is `resource_missing`, too. */
idv_error_t *idv_organization_standing(idv_db_t *db, const idv_scope_t *scope,
                                       idv_organization_standing_t *standing,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Changes what UPDATE names; *OUT is the organization after it. */
idv_error_t *idv_organization_update(idv_db_t *db, const char *id,
                                     const idv_organization_update_t *update,
                                     idv_organization_t **out,
                                     apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_organization_four_eyes(idv_db_t *db, const char *id,
                                        idv_four_eyes_t *switches,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Sets SWITCHES, of which a negative one stays as it is, and fills in all. */
idv_error_t *idv_organization_set_four_eyes(idv_db_t *db, const char *id,
                                            idv_four_eyes_t *switches,
                                            apr_pool_t *pool) IDV_CHECKED;

/* What ID makes of a signer's certificate that deviates from its profile without
 * widening anybody's trust: a note, or (*IS_DOUBT is non-zero) a doubt. */
idv_error_t *idv_organization_trust_policy(idv_db_t *db, const char *id,
                                           int *is_doubt,
                                           apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_organization_set_trust_policy(idv_db_t *db, const char *id,
                                               int is_doubt,
                                               apr_pool_t *pool) IDV_CHECKED;

/* Sets LIMITS, of which a negative one stays as it is and 0 takes the
 * organization's own away. Each request that comes later is held to it. */
idv_error_t *idv_organization_set_rate_limits(idv_db_t *db, const char *id,
                                              const idv_rate_limits_t *limits,
                                              idv_organization_t **out,
                                              apr_pool_t *pool) IDV_CHECKED;

/* How it shows itself to persons. */
typedef struct {
    const char *name;  /* of the organization */
    const char *brand; /* an object as domain/account/brand.h has it; NULL: none */
    const char *shown_name; /* the brand's, or else the organization's */
} idv_organization_brand_t;

idv_error_t *idv_organization_brand(idv_db_t *db, const char *id,
                                    idv_organization_brand_t *out,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Replaces the brand by BRAND, which was checked; NULL takes it away. */
idv_error_t *idv_organization_set_brand(idv_db_t *db, const char *id,
                                        const char *brand,
                                        idv_organization_brand_t *out,
                                        apr_pool_t *pool) IDV_CHECKED;

/* The new application's id goes to *ID. */
idv_error_t *idv_application_create(idv_db_t *db, const char *organization_id,
                                    const char *name, idv_time_t now,
                                    const char **id,
                                    apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const char *id;
    const char *name;
    idv_time_t created;
    idv_time_t retired_at; /* 0: it is not */
} idv_application_t;

/* Lets the keys of an application begin no session any more, or lets them again;
 * those that run go on. */
idv_error_t *idv_application_retire(idv_db_t *db, const idv_scope_t *scope,
                                    int is_retired,
                                    idv_application_t *application,
                                    apr_pool_t *pool) IDV_CHECKED;

/* All of an organization's, oldest first, as an array of idv_application_t. */
idv_error_t *idv_application_list(idv_db_t *db, const char *organization_id,
                                  apr_array_header_t **applications,
                                  apr_pool_t *pool) IDV_CHECKED;

/* A page of them, newest first. */
idv_error_t *idv_application_page(idv_db_t *db, const char *organization_id,
                                  const idv_cursor_t *cursor,
                                  apr_array_header_t **applications,
                                  int *has_more, apr_pool_t *pool) IDV_CHECKED;

#endif
