/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_RISK_RISK_LIST_H
#define IDV_STORE_RISK_RISK_LIST_H

/*
 * Allow and block lists of an organization's operator: identifiers, each at
 * most once, and who listed them. domain/risk/risk.h defines the effect of an
 * entry.
 *
 * A personal value is stored only as the HMAC that the risk engine uses; the
 * domain of an e-mail service is also stored as text. Each change writes an
 * immutable log line.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an invalid value is `parameter_invalid`, a
 * missing entry `resource_missing`.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "domain/risk/risk.h"
#include "store/db/db.h"

/* Maximum entries of one organization. */
#define IDV_RISK_LIST_ENTRIES_MAX 10000

/* Kind, name, label of its HMAC. The first are those of idv_risk_kind_t, in its
 * order. */
#define IDV_RISK_LIST_KINDS(X)                                                 \
    X(IP, "ip", "risk_ip")                                                     \
    X(EMAIL, "email", "email")                                                 \
    X(PHONE, "phone", "phone")                                                 \
    X(DEVICE, "device", "risk_device")                                         \
    X(EMAIL_DOMAIN, "email_domain", "risk_email_domain")

typedef enum {
#define X(name, value, label) IDV_RISK_LIST_##name,
    IDV_RISK_LIST_KINDS(X)
#undef X
        IDV_RISK_LIST_KIND_COUNT
} idv_risk_list_kind_t;

/* The kind named NAME; IDV_RISK_LIST_KIND_COUNT if unknown. */
idv_risk_list_kind_t idv_risk_list_kind_parse(const char *name);

/* The normal form of VALUE, `parameter_invalid` at PARAM if it is invalid; for
 * an IP address the form under which its uses are counted. */
idv_error_t *idv_risk_list_normalize(idv_risk_list_kind_t kind,
                                     const char *value, const char *param,
                                     const char **out,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The HMAC under which VALUE (normal form) is listed and counted. No data for
 * NULL. */
idv_bytes_t idv_risk_list_digest(const idv_keyring_t *keyring,
                                 idv_risk_list_kind_t kind, const char *value,
                                 apr_pool_t *pool);

/* An entry, or a change of one. */
typedef struct {
    const char *id;
    const char *entry_id; /* of a change: its entry */
    const char *kind;     /* a name of IDV_RISK_LIST_KINDS */
    const char *action;   /* "allow", "block"; of a change also "remove" */
    const char *value;    /* NULL: personal */
    const char *note;     /* NULL: none */
    const char *actor;
    idv_time_t created;
    idv_time_t expires_at; /* 0: never, and for a change */
} idv_risk_list_row_t;

/* A change to make, and its author. */
typedef struct {
    const char *organization_id;
    idv_risk_list_kind_t kind;
    idv_risk_listing_t listing; /* allowed or blocked */
    idv_bytes_t digest;
    const char *value; /* normal form */
    const char *note;  /* NULL: none */
    const char *actor;
    idv_time_t now;
    idv_time_t expires_at; /* 0: never */
} idv_risk_listing_change_t;

/* Adds the entry of CHANGE or changes its listing; *ID is the entry's.
 * `parameter_invalid` if the organization has IDV_RISK_LIST_ENTRIES_MAX
 * others. */
idv_error_t *idv_risk_list_put(idv_db_t *db,
                               const idv_risk_listing_change_t *change,
                               const char **id, apr_pool_t *pool) IDV_CHECKED;

/* Removes the entry ID; CHANGE provides organization, note, actor and now. ROW
 * is set to the removed entry's id, kind, action and value. */
idv_error_t *idv_risk_list_remove(idv_db_t *db,
                                  const idv_risk_listing_change_t *change,
                                  const char *id, idv_risk_list_row_t *row,
                                  apr_pool_t *pool) IDV_CHECKED;

/* A query for entries. */
typedef struct {
    const char *organization_id;
    idv_bytes_t digest; /* of the only entry to find; or no data */
    const char
        *after; /* continue after this id; NULL: from the start */
    int limit;
} idv_risk_list_query_t;

/* The entries matching QUERY, oldest first, of idv_risk_list_row_t. */
idv_error_t *idv_risk_list_entries(idv_db_t *db,
                                   const idv_risk_list_query_t *query,
                                   apr_array_header_t **rows,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The changes of an organization's lists, newest first, of idv_risk_list_row_t;
 * ignores QUERY's digest. */
idv_error_t *idv_risk_list_changes(idv_db_t *db,
                                   const idv_risk_list_query_t *query,
                                   apr_array_header_t **rows,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
