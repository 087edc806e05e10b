/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_REQUEST_H
#define IDV_API_HTTP_REQUEST_H

/*
 * One API request, as its handler sees it: the caller, the parameters, the
 * time, and access to the rest of the service. A handler answers through
 * api/http/response.h.
 *
 * Before the handler is called, the key that its route demands was checked, its
 * rate was counted, and the parameters were parsed as UTF-8 and JSON. The
 * handler interprets the parameters, by a table (domain/request/parameters.h),
 * and checks whether a client secret is the right one.
 *
 * The database. Open a connection, do one unit of work, close it, and only then
 * answer: a connection is never held while a client reads or sends.
 *
 * Memory: everything lives in `pool`, the pool of the request. Threads: one.
 */
#include <httpd.h>

#include "api/http/routes.h"
#include "core/clock.h"
#include "core/json.h"
#include "core/keyring.h"
#include "core/settings.h"
#include "domain/account/operator.h"
#include "domain/gate/gate.h"
#include "domain/law/compliance_rules.h"
#include "domain/request/parameters.h"
#include "domain/risk/risk_data.h"
#include "store/account/api_key.h"
#include "store/db/db.h"
#include "store/db/statement_group.h"
#include "store/db/lookup.h"
#include "store/transaction/session_create_cache.h"
#include "worker/process/statistics.h"

typedef struct idv_request_t idv_request_t;
typedef struct idv_admission_t idv_admission_t;
typedef struct idv_admission_place_t idv_admission_place_t;
typedef struct idv_body_arrival_t idv_body_arrival_t;
typedef struct idv_sending_t idv_sending_t;

/* The client's location: "US" or "US-MD"; NULL: unknown. */
typedef struct {
    const char *geo_header;  /* from the configured headers of a proxy */
    const char *ip_database; /* from the address; not looked up if a header is
                              * set */
} idv_location_t;

/* What databases say about an IP address; -1: nothing. */
typedef struct {
    const char *place; /* "US" or "US-MD"; NULL: unknown */
    int reserved;      /* not a public address; no database needed */
    int hosting, anonymizer, tor;
} idv_address_facts_t;

/* The processes of this node other than its children. */
typedef struct {
    int parent_is_gone;               /* flag: httpd's parent */
    const idv_statistics_t *watchdog; /* its counters; NULL: it never started */
} idv_processes_t;

/* Non-zero while the watchdog loop of the node is running. */
int idv_processes_have_watchdog(const idv_processes_t *processes,
                                idv_time_t now);

/* The services of a server for its handlers. One per virtual host and
 * generation of the configuration; immutable, shared by all threads. */
typedef struct idv_services_t {
    const idv_settings_t *settings;
    const idv_keyring_t *keyring;
    const idv_db_source_t *database;
    const idv_compliance_rules_t *compliance; /* NULL: no rules */
    /* The child's cache of facts, thread-safe; NULL: no caching. */
    idv_session_create_cache_t *session_create_cache;
    /* The child's, thread-safe: for creations, and for reads. */
    idv_statement_group_t *commit_group, *read_group;
    const idv_risk_data_t *risk;
    const idv_admission_t *admission; /* NULL: no limits */
    /* VerifyWebhookAllow: array of idv_address_range_t. */
    const apr_array_header_t *webhook_allow;
    /* Fills FACTS from the available databases; see
     * api/http/client_signals.h. */
    void (*look_up_address)(const struct idv_services_t *services,
                            const struct sockaddr *address,
                            idv_address_facts_t *facts, apr_pool_t *pool);
    /* Where the client of REQUEST (r->useragent_ip) is. */
    void (*locate)(const idv_request_t *request, idv_location_t *location);
    /* Tells the watchdog of this node that work (idv_work_t, or-ed) was
     * committed. Never blocks. */
    void (*wake)(const struct idv_services_t *services, unsigned work);
    void (*look_at_processes)(const struct idv_services_t *services,
                              idv_processes_t *processes);
    /* Checks the captcha TOKEN of a request; waits at most the configured
     * seconds. parameter_invalid at `captcha_token` if it is rejected,
     * publishable_session_create_blocked if no captcha can be checked,
     * service_unavailable if the provider gave no verdict. */
    idv_error_t *(*check_captcha)(const idv_request_t *request,
                                  const char *token) IDV_CHECKED;
    /* Counts REQUEST for its address, for PURPOSE (at most LIMIT a minute), and
     * for its key if it has one; rate_limit_exceeded. */
    idv_error_t *(*count_visitor)(idv_request_t *request, const char *purpose,
                                  apr_int64_t limit) IDV_CHECKED;
    /* The text of PAGE for a visitor, in the brand of the organization (NULL:
     * none), with NEXT as its next step (NULL: none); sets its headers. */
    const char *(*visitor_page)(idv_request_t *request,
                                const char *organization_id,
                                idv_gate_page_t page, const char *next);
    /* The roles of the operator of REQUEST, an array of
     * idv_operator_grant_t. */
    apr_array_header_t *(*operator_grants)(const idv_request_t *request);
    void *baton; /* of these functions */
} idv_services_t;

/* Writes an answer that is longer than memory: sets *PIECE, which lives in
 * POOL, to the next part; an empty one ends the answer. */
typedef idv_error_t *idv_response_piece_t(struct idv_request_t *request,
                                          void *baton, idv_bytes_t *piece,
                                          apr_pool_t *pool);

/* The answer; written when the handler has returned. See api/http/response.h
 * and api/http/sending.h. */
typedef struct {
    int status; /* 0: none yet */
    const char *media_type;
    idv_bytes_t body;
    idv_response_piece_t *next; /* writes what follows the body; NULL:
                                 * nothing */
    void *baton;                /* for `next` */
    idv_error_t *failure;       /* the error that broke the answer off */
} idv_response_t;

struct idv_request_t {
    request_rec *r;
    apr_pool_t *pool;
    idv_time_t now;  /* of arrival */
    const char *id;  /* req_…, also in the log lines of the request */
    const idv_trace_context_t *trace; /* NULL: not recorded */
    const idv_services_t *services;
    const idv_route_t *route;        /* NULL before it is found */
    /* NULL: not called with a key. An operator's request to an organization has
     * a temporary one: it defines what the request may see, and its id is the
     * operator's name. */
    const idv_api_key_t *key;
    const idv_operator_t *operator; /* NULL: not below /dashboard */
    int for_operator;               /* flag: the path is below /dashboard */
    /* The age gate or login that calls for a visitor; `key` is then a temporary
     * one (api/session/visitor_session.h). NULL: neither. */
    const char *visitor_of;
    /* Owner of that path; NULL: it names none. */
    const char *organization_id, *application_id;
    /* Checks a secret key along with the first statement; a handler must not
     * have effects before that. Already passed if the key was looked up. NULL
     * for other keys. */
    idv_db_guard_t *guard;
    const char *client_secret;       /* the Bearer token of widget routes */
    /* The caller: id and organization of the key, or of the session whose
     * client secret was checked. NULL: no credential was checked before the
     * body. */
    const char *caller_id, *caller_organization_id;
    const char *path_parameters[IDV_PATH_PARAMETERS];
    /* An object in document order: the body for routes that take JSON ({} when
     * it is empty), else the query, where every value is a string, or an array
     * of strings for a name such as `expand[]`. Owned by pool. */
    json_t *parameters;
    int parameters_are_query;
    idv_body_arrival_t *arrival;  /* api/http/body.h */
    idv_admission_place_t *place; /* api/http/admission.h */
    idv_bytes_t body;        /* the raw bytes, of any body */
    const char *body_type;   /* media type without parameters; NULL: none */
    idv_response_t response;
    idv_sending_t *sending; /* api/http/sending.h; NULL: nothing was sent */
    /* Number of this request among its caller's in this minute; 0: not
     * counted. */
    apr_int64_t rate_count;
    int is_search; /* flag: its connections count as searches;
                    * store/db/connection_share.h */
    int can_park;  /* flag: the client can be awaited without a thread */
    int has_run;   /* flag: the handler has run */
};

/* The path segment that matches `:NAME` of the route, percent-decoded UTF-8;
 * never NULL for a name of the route. */
const char *idv_request_path(const idv_request_t *request, const char *name);

/* Reads the parameters of REQUEST by TABLE into INPUT, as idv_parameters_read()
 * does; CHECK may be NULL. */
idv_error_t *idv_request_parameters(const idv_request_t *request,
                                    const idv_parameter_t *table, void *input,
                                    idv_parameter_check_t *check) IDV_CHECKED;

/* For routes without parameters: an error that names the first one given. */
idv_error_t *idv_request_no_parameters(const idv_request_t *request)
    IDV_CHECKED;

/* The objects that the key of REQUEST may see. */
idv_scope_t idv_request_scope(const idv_request_t *request);

/* Runs WORK in a transaction on a connection that is given back afterwards. */
idv_error_t *idv_request_transaction(idv_request_t *request,
                                     idv_db_work_t *work,
                                     void *baton) IDV_CHECKED;

/* Runs WORK on its own connection, without a transaction unless an operator's
 * request is about to change something. */
idv_error_t *idv_request_with_database(idv_request_t *request,
                                       idv_db_work_t *work,
                                       void *baton) IDV_CHECKED;

/* Whether this child of httpd was told to end. Then no request should wait for
 * anything that may not come, or httpd kills the child. */
int idv_child_is_stopping(void);

#endif
