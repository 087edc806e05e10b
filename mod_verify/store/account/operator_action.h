/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ACCOUNT_OPERATOR_ACTION_H
#define IDV_STORE_ACCOUNT_OPERATOR_ACTION_H

/*
 * The audit log of the team's actions: every change by a dashboard operator or
 * by verifyctl, every administrative action of an API key, every view of
 * evidence. It records the actor, authentication, permission and address, and
 * the action, object and reason; nothing about verified persons.
 *
 * An action is recorded in the transaction of its change, so neither exists
 * without the other. Each organization has its own chain; the server's chain is
 * under IDV_OPERATOR_EVERYWHERE. An entry's hash is the SHA-256 of the previous
 * hash (32 bytes; nothing before the first) followed by the entry's text.
 * Anyone who changes, removes, inserts or swaps entries must therefore change
 * all following ones and the head. Against that, compare with hashes recorded
 * elsewhere (an export, the error log). Appending locks the chain's head until
 * the transaction ends.
 *
 * API requests record through api/http/action_record.h.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h.
 */
#include <apr_tables.h>
#include <jansson.h>

#include "domain/account/operator.h"
#include "store/db/lookup.h"

typedef enum {
    IDV_ACTOR_OPERATOR,  /* dashboard operator, by login */
    IDV_ACTOR_API_KEY,   /* by the key's id */
    IDV_ACTOR_VERIFYCTL, /* by the name of the system user */
} idv_actor_type_t;

typedef struct {
    const char *organization_id; /* or IDV_OPERATOR_EVERYWHERE */
    idv_actor_type_t actor_type;
    const char *actor;
    /* NULL: not applicable. */
    const char *authentication, *role, *rule, *address, *request_id;
    const char *action;    /* "POST /v1/webhook_endpoints", "key revoke" */
    const char *object_id; /* object of the action; NULL: none with an id */
    const char *reason;    /* given by the actor; NULL: none */
    const json_t *details; /* an object; NULL: none */
    idv_time_t created;
} idv_operator_action_t;

/* Appends ACTION to the chain of its organization; `audit_chain_broken` if the
 * chain has entries but no head, which this service never causes. Call it
 * inside the transaction of the change, as its last statement, because it locks
 * the chain. */
idv_error_t *idv_operator_action_append(idv_db_t *db,
                                        const idv_operator_action_t *action,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Sets the head of ORGANIZATION_ID's chain to its last entry if it has none;
 * *RESTORED says whether it did. Entries cut off after that one remain lost;
 * only a head recorded elsewhere reveals them. */
idv_error_t *idv_operator_action_restore_head(idv_db_t *db,
                                              const char *organization_id,
                                              int *restored,
                                              apr_pool_t *pool) IDV_CHECKED;

/* A query for actions. */
typedef struct {
    const char *organization_id;
    idv_cursor_t cursor;
    const char *actor, *action, *subject; /* at most one; NULL: any */
    idv_time_t created_from;              /* at this time or later */
    idv_time_t created_before;            /* required, see lookup.h */
} idv_operator_action_filter_t;

/* `parameter_invalid` if more than one of actor, action and subject is given,
 * because each has its own index. */
idv_error_t *
idv_operator_action_filter_check(const idv_operator_action_filter_t *filter,
                                 apr_pool_t *pool) IDV_CHECKED;

/* A page of actions, newest first, an array of JSON objects as text (const char
 * *). */
idv_error_t *idv_operator_action_list(idv_db_t *db,
                                      const idv_operator_action_filter_t *filter,
                                      apr_array_header_t **actions,
                                      int *has_more,
                                      apr_pool_t *pool) IDV_CHECKED;

/* A stored entry. */
typedef struct {
    const char *organization_id;
    apr_int64_t sequence; /* from 1, without gaps */
    const char *id;
    const char *entry; /* the hashed text */
    const char *hash;  /* 64 hexadecimal digits */
} idv_operator_entry_t;

/* Callback for each entry of a chain, in order. */
typedef idv_error_t *idv_operator_entry_visit_t(
    void *baton, const idv_operator_entry_t *entry, apr_pool_t *pool);

/* ENTRY as a line of an export, a JSON object without a line end. */
const char *idv_operator_entry_line(const idv_operator_entry_t *entry,
                                    apr_pool_t *pool);

/* The state of an export of one organization. */
typedef struct {
    /* The selection. Without actor, action, subject and times it is the whole
     * chain, which is verifiable; otherwise entries in the order of their ids.
     * The export manages the cursor. */
    idv_operator_action_filter_t filter;
    int is_of_all; /* flag: the whole chain */
    apr_int64_t sequence;  /* of the last entry passed */
    char id[IDV_ID_SIZE];
    int is_whole; /* flag: nothing follows */
} idv_operator_export_t;

/* Passes the next entries, oldest first, to VISIT, at most some hundred.
 * Connection and pool can change between calls. */
idv_error_t *idv_operator_action_export(idv_db_t *db,
                                        idv_operator_export_t *export,
                                        idv_operator_entry_visit_t *visit,
                                        void *baton,
                                        apr_pool_t *pool) IDV_CHECKED;

/* The result of verifying a chain. */
typedef struct {
    const char *organization_id;
    apr_int64_t entries;
    const char *head;  /* hash of the last entry; "" without any */
    const char *fault; /* description of the first fault; NULL: none */
} idv_operator_chain_t;

/* What is called for each entry. */
typedef struct {
    idv_operator_entry_visit_t *visit;
    void *baton;
} idv_operator_entry_visitor_t;

/* Reads each chain (or only that of ORGANIZATION_ID unless it is NULL) from its
 * start to its head, verifies it, and passes each entry to VISIT, which may be
 * NULL. *CHAINS is set to an array of idv_operator_chain_t. Entries are read in
 * batches whose memory is released. */
idv_error_t *
idv_operator_action_verify(idv_db_t *db, const char *organization_id,
                           const idv_operator_entry_visitor_t *visitor,
                           apr_array_header_t **chains,
                           apr_pool_t *pool) IDV_CHECKED;

#endif
