/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ACCOUNT_ORGANIZATION_H
#define IDV_STORE_ACCOUNT_ORGANIZATION_H

/*
 * Organizations and their applications, as managed by the operator;
 * store/account/api_key.h has their keys.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"

/* Characters of the name of an organization or application, which must be
 * visible (domain/value/shown_name.h). */
#define IDV_ORGANIZATION_NAME_MAX 500

/* Actions that require two people. */
typedef struct {
    int publish; /* an author of changes to a draft cannot publish it */
    /* A lone reviewer cannot reject a verified session; somebody else must have
     * flagged or escalated it, see store/session/review_work.h. */
    int reject;
    /* Erasing a person takes two: one requests it, another confirms; see
     * store/transaction/erasure.h. */
    int erase;
} idv_four_eyes_t;

/* Requests per minute for each key, 1 to IDV_RATE_LIMIT_MAX; 0: the server's
 * limit (VerifyRateLimit). */
typedef struct {
    apr_int64_t secret;
    apr_int64_t publishable;
} idv_rate_limits_t;

typedef struct {
    const char *id;
    const char *name;
    int sandbox;
    const char *billing_status; /* active, suspended */
    apr_int64_t free_allotment; /* verifications per calendar month */
    apr_int64_t credit_balance;
    const char *publishable_session_create; /* allowed, blocked */
    idv_four_eyes_t four_eyes;
    idv_rate_limits_t rate_limits;
    idv_time_t disabled_at; /* 0: enabled */
    idv_time_t created;
    idv_time_t updated;
} idv_organization_t;

/* NULL or a negative number leaves a setting unchanged. */
typedef struct {
    const char *name;
    const char *billing_status;
    apr_int64_t free_allotment;
    const char *publishable_session_create;
} idv_organization_update_t;

/* Creates an organization with default settings. */
idv_error_t *idv_organization_create(idv_db_t *db, const char *name,
                                     int sandbox, idv_organization_t **out,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The organization with this id. */
idv_error_t *idv_organization_find(idv_db_t *db, const char *id,
                                   idv_organization_t **out,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Disables the organization (its keys and persons are refused from their next
 * request on) or enables it again. Its data remains, webhooks for past events
 * are sent, and its sessions expire. */
idv_error_t *idv_organization_disable(idv_db_t *db, const char *id,
                                      int is_disabled, idv_organization_t **out,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Up to LIMIT organizations newer than the id AFTER (NULL: from the oldest), an
 * array of idv_organization_t *. */
idv_error_t *idv_organization_list(idv_db_t *db, const char *after, int limit,
                                   apr_array_header_t **organizations,
                                   apr_pool_t *pool) IDV_CHECKED;

/* An operator's query for organizations. */
typedef struct {
    const char *const *visible; /* their ids, NULL-terminated; NULL: all */
    /* Start of a name (case-insensitive), or an id; NULL: any. */
    const char *search;
    idv_cursor_t cursor;
} idv_organization_filter_t;

/* A page of them, newest first, an array of idv_organization_t *. */
idv_error_t *idv_organization_page(idv_db_t *db,
                                   const idv_organization_filter_t *filter,
                                   apr_array_header_t **organizations,
                                   int *has_more, apr_pool_t *pool) IDV_CHECKED;

/* The state that an operator's request depends on, as with a key. */
typedef struct {
    int sandbox;
    int billing_suspended;
    int disabled;
} idv_organization_standing_t;

/* The state of SCOPE's organization. An application of another organization is
 * also `resource_missing`. */
idv_error_t *idv_organization_standing(idv_db_t *db, const idv_scope_t *scope,
                                       idv_organization_standing_t *standing,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Applies UPDATE; *OUT is the resulting organization. */
idv_error_t *idv_organization_update(idv_db_t *db, const char *id,
                                     const idv_organization_update_t *update,
                                     idv_organization_t **out,
                                     apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_organization_four_eyes(idv_db_t *db, const char *id,
                                        idv_four_eyes_t *switches,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Sets SWITCHES (negative: unchanged), and fills in all of them. */
idv_error_t *idv_organization_set_four_eyes(idv_db_t *db, const char *id,
                                            idv_four_eyes_t *switches,
                                            apr_pool_t *pool) IDV_CHECKED;

/* How ID treats a signer's certificate that deviates from its profile without
 * extending trust: as a note, or (*IS_DOUBT non-zero) as a doubt. */
idv_error_t *idv_organization_trust_policy(idv_db_t *db, const char *id,
                                           int *is_doubt,
                                           apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_organization_set_trust_policy(idv_db_t *db, const char *id,
                                               int is_doubt,
                                               apr_pool_t *pool) IDV_CHECKED;

/* Sets LIMITS: negative leaves one unchanged, 0 removes the organization's own.
 * They apply to every later request. */
idv_error_t *idv_organization_set_rate_limits(idv_db_t *db, const char *id,
                                              const idv_rate_limits_t *limits,
                                              idv_organization_t **out,
                                              apr_pool_t *pool) IDV_CHECKED;

/* In a transaction: until its end, nobody else applies a set-up file. */
idv_error_t *idv_organization_lock_setup(idv_db_t *db,
                                         apr_pool_t *pool) IDV_CHECKED;

/* How the organization appears to persons. */
typedef struct {
    const char *name;       /* of the organization */
    const char *brand;      /* see domain/account/brand.h; NULL: none */
    const char *shown_name; /* the brand's name, else the organization's */
    int has_passkeys;       /* flag: a person has saved one; set only by
                             * idv_organization_brand() */
} idv_organization_brand_t;

idv_error_t *idv_organization_brand(idv_db_t *db, const char *id,
                                    idv_organization_brand_t *out,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Replaces the brand with BRAND, already checked; NULL removes it. */
idv_error_t *idv_organization_set_brand(idv_db_t *db, const char *id,
                                        const char *brand,
                                        idv_organization_brand_t *out,
                                        apr_pool_t *pool) IDV_CHECKED;

/* A new application. */
typedef struct {
    const char *organization_id;
    const char *name;
    idv_time_t now;
} idv_application_draft_t;

/* Creates an application; *ID is its id. */
idv_error_t *idv_application_create(idv_db_t *db,
                                    const idv_application_draft_t *draft,
                                    const char **id,
                                    apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const char *id;
    const char *name;
    idv_time_t created;
    idv_time_t retired_at; /* 0: not retired */
} idv_application_t;

/* Retires an application (its keys can no longer create sessions; running ones
 * continue), or reactivates it. */
idv_error_t *idv_application_retire(idv_db_t *db, const idv_scope_t *scope,
                                    int is_retired,
                                    idv_application_t *application,
                                    apr_pool_t *pool) IDV_CHECKED;

/* All applications of an organization, oldest first, an array of
 * idv_application_t. */
idv_error_t *idv_application_list(idv_db_t *db, const char *organization_id,
                                  apr_array_header_t **applications,
                                  apr_pool_t *pool) IDV_CHECKED;

/* A page of applications, newest first. */
idv_error_t *idv_application_page(idv_db_t *db, const idv_page_query_t *query,
                                  apr_array_header_t **applications,
                                  int *has_more, apr_pool_t *pool) IDV_CHECKED;

#endif
