/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ACCOUNT_OPERATOR_ACTION_H
#define IDV_STORE_ACCOUNT_OPERATOR_ACTION_H

/*
 * The record of what was done to the service by its team: every change by an
 * operator of the dashboard or by verifyctl, every administrative act of an API
 * key, every look at evidence. Who did it, how he was authenticated and let in,
 * from where, what, to which object, with which reason; nothing about persons
 * who are verified.
 *
 * An action is recorded in the transaction of what it did, so there is never one
 * without the other. Each organization has a chain of its own, and one, under
 * IDV_OPERATOR_EVERYWHERE, is of the server. An entry's hash is SHA-256 of the
 * hash before it (32 bytes; nothing before the first) followed by the entry's
 * text, so whoever changes, removes, inserts or swaps entries has to change all
 * that follow, and the head; against one who changes all of these, the hashes
 * help that were written down elsewhere (an export, the error log). Appending
 * locks the chain's head until the transaction ends.
 *
 * In the API a request records through api/http/action_record.h.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h.
 */
#include <apr_tables.h>
#include <jansson.h>

#include "domain/account/operator.h"
#include "store/db/lookup.h"

typedef enum {
    IDV_ACTOR_OPERATOR,  /* of the dashboard; by his login */
    IDV_ACTOR_API_KEY,   /* by the key's id */
    IDV_ACTOR_VERIFYCTL, /* by the name of the system's user */
} idv_actor_type_t;

typedef struct {
    const char *organization_id; /* or IDV_OPERATOR_EVERYWHERE */
    idv_actor_type_t actor_type;
    const char *actor;
    /* NULL where it does not apply. */
    const char *authentication, *role, *rule, *address, *request_id;
    const char *action;    /* "POST /v1/webhook_endpoints", "key revoke" */
    const char *object_id; /* what was acted on; NULL: nothing with an id */
    const char *reason;    /* as he gave it; NULL: none */
    const json_t *details; /* an object; NULL: none */
    idv_time_t created;
} idv_operator_action_t;

/* Appends ACTION to the chain of its organization; `audit_chain_broken` when the
 * chain has entries and no head, which nothing of this service brings about. Call it inside of the
 * transaction of the change, as its last statement: the chain is locked from
 * then on. */
idv_error_t *idv_operator_action_append(idv_db_t *db,
                                        const idv_operator_action_t *action,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Gives the chain of ORGANIZATION_ID the head that its last entry is, when it has
 * none; *RESTORED tells. What was cut off behind that entry stays lost: only a
 * head that was kept elsewhere shows it. */
idv_error_t *idv_operator_action_restore_head(idv_db_t *db,
                                              const char *organization_id,
                                              int *restored,
                                              apr_pool_t *pool) IDV_CHECKED;

/* Which actions are wanted. */
typedef struct {
    const char *organization_id;
    idv_cursor_t cursor;
    const char *actor, *action, *subject; /* at most one; NULL: any */
    idv_time_t created_from;              /* at this time or later */
    idv_time_t created_before;            /* always given, see lookup.h */
} idv_operator_action_filter_t;

/* `parameter_invalid` for more than one of actor, action and subject: each is an
 * index of its own. */
idv_error_t *
idv_operator_action_filter_check(const idv_operator_action_filter_t *filter,
                                 apr_pool_t *pool) IDV_CHECKED;

/* A page of actions, newest first, as an array of texts, each a JSON object
 * (const char *). */
idv_error_t *idv_operator_action_list(idv_db_t *db,
                                      const idv_operator_action_filter_t *filter,
                                      apr_array_header_t **actions,
                                      int *has_more,
                                      apr_pool_t *pool) IDV_CHECKED;

/* One entry as it is kept. */
typedef struct {
    const char *organization_id;
    apr_int64_t sequence; /* from 1, without gaps */
    const char *id;
    const char *entry; /* the text that the hash is of */
    const char *hash;  /* 64 hexadecimal digits */
} idv_operator_entry_t;

/* What is done with each entry of a chain, in order. */
typedef idv_error_t *idv_operator_entry_visit_t(
    void *baton, const idv_operator_entry_t *entry, apr_pool_t *pool);

/* ENTRY as a line of an export, without its end: a JSON object. */
const char *idv_operator_entry_line(const idv_operator_entry_t *entry,
                                    apr_pool_t *pool);

/* Where an export of one organization stands. */
typedef struct {
    /* What it is of. Without actor, action, subject and times it is the chain,
     * which can be proved; else entries in the order of their ids. The cursor is
     * the export's. */
    idv_operator_action_filter_t filter;
    int is_of_all; /* flag: of the whole chain */
    apr_int64_t sequence;  /* of the last entry that was given */
    char id[IDV_ID_SIZE];
    int is_whole; /* flag: there is nothing behind it */
} idv_operator_export_t;

/* Gives the next entries, oldest first, to VISIT, some hundred at most. Between
 * two calls neither connection nor pool need to stay the same. */
idv_error_t *idv_operator_action_export(idv_db_t *db,
                                        idv_operator_export_t *export,
                                        idv_operator_entry_visit_t *visit,
                                        void *baton,
                                        apr_pool_t *pool) IDV_CHECKED;

/* What became of a chain. */
typedef struct {
    const char *organization_id;
    apr_int64_t entries;
    const char *head;  /* hash of the last one; "" without any */
    const char *fault; /* what is wrong, of the first fault; NULL: nothing */
} idv_operator_chain_t;

/* Reads each chain, or that of ORGANIZATION_ID alone when it is not NULL, from
 * its beginning to its head, proves it, and gives each entry to VISIT, which may
 * be NULL. *CHAINS becomes an array of idv_operator_chain_t. Entries are read in
 * batches, whose memory is given back. */
idv_error_t *idv_operator_action_verify(idv_db_t *db,
                                        const char *organization_id,
                                        idv_operator_entry_visit_t *visit,
                                        void *baton,
                                        apr_array_header_t **chains,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
