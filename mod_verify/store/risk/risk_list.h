/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_RISK_RISK_LIST_H
#define IDV_STORE_RISK_RISK_LIST_H

/*
 * What an organization's operator allows and blocks: identifiers, each at most
 * once, and who listed them. domain/risk/risk.h says what follows from an entry.
 *
 * A value that is personal is kept as the HMAC by which the risk engine knows
 * it and can be found by nothing else; the domain of an e-mail service is kept
 * as text besides. Each change writes a line that is never changed.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a value that is none of its kind is
 * `parameter_invalid`, an entry that is not there `resource_missing`.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "domain/risk/risk.h"
#include "store/db/db.h"

/* Entries of one organization. */
#define IDV_RISK_LIST_ENTRIES_MAX 10000

/* Kind, name, what its HMAC is labelled with. The first are idv_risk_kind_t's,
 * in its order. */
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

/* The kind called NAME; IDV_RISK_LIST_KIND_COUNT: there is none. */
idv_risk_list_kind_t idv_risk_list_kind_parse(const char *name);

/* The one written form of VALUE, `parameter_invalid` at PARAM when it is none
 * of its kind; of an address the form by which its uses are counted. */
idv_error_t *idv_risk_list_normalize(idv_risk_list_kind_t kind,
                                     const char *value, const char *param,
                                     const char **out,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The HMAC by which VALUE, in its written form, is listed and counted. No data
 * for NULL. */
idv_bytes_t idv_risk_list_digest(const idv_keyring_t *keyring,
                                 idv_risk_list_kind_t kind, const char *value,
                                 apr_pool_t *pool);

/* An entry, and a change of one. */
typedef struct {
    const char *id;
    const char *entry_id; /* of a change: which */
    const char *kind;     /* a name of IDV_RISK_LIST_KINDS */
    const char *action;   /* "allow", "block"; of a change also "remove" */
    const char *value;    /* NULL: personal */
    const char *note;     /* NULL: none */
    const char *actor;
    idv_time_t created;
    idv_time_t expires_at; /* 0: never, and of a change */
} idv_risk_list_row_t;

/* What is to be done, and by whom. */
typedef struct {
    const char *organization_id;
    idv_risk_list_kind_t kind;
    idv_risk_listing_t listing; /* allowed or blocked */
    idv_bytes_t digest;
    const char *value; /* in its written form */
    const char *note;  /* NULL: none */
    const char *actor;
    idv_time_t now;
    idv_time_t expires_at; /* 0: never */
} idv_risk_listing_change_t;

/* Lists what CHANGE says, or changes how it is listed; *ID is the entry's.
 * `parameter_invalid` when the organization has IDV_RISK_LIST_ENTRIES_MAX
 * others. */
idv_error_t *idv_risk_list_put(idv_db_t *db,
                               const idv_risk_listing_change_t *change,
                               const char **id, apr_pool_t *pool) IDV_CHECKED;

/* Takes the entry ID from the lists: organization, note, actor and now are
 * CHANGE's. ROW becomes what it was, with its id, kind, action and value. */
idv_error_t *idv_risk_list_remove(idv_db_t *db,
                                  const idv_risk_listing_change_t *change,
                                  const char *id, idv_risk_list_row_t *row,
                                  apr_pool_t *pool) IDV_CHECKED;

/* What is to be listed. */
typedef struct {
    const char *organization_id;
    idv_bytes_t digest; /* of the one entry that is looked for; or no data */
    const char
        *after; /* the id that the list goes on behind; NULL: its first */
    int limit;
} idv_risk_list_query_t;

/* The entries that QUERY asks for, the oldest first, of idv_risk_list_row_t. */
idv_error_t *idv_risk_list_entries(idv_db_t *db,
                                   const idv_risk_list_query_t *query,
                                   apr_array_header_t **rows,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The changes of an organization's lists, the newest first, of
 * idv_risk_list_row_t; QUERY's digest is not looked at. */
idv_error_t *idv_risk_list_changes(idv_db_t *db,
                                   const idv_risk_list_query_t *query,
                                   apr_array_header_t **rows,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
