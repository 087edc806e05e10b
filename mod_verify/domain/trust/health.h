/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_HEALTH_H
#define IDV_DOMAIN_TRUST_HEALTH_H

/*
 * Health report: problems of a service and how to fix them.
 *
 * A finding is one of the checks in health_checks.def that found something,
 * with its subject: an id, a number, a time. Findings contain no personal data
 * and no secrets, so all of them can be mailed, logged and shown.
 *
 * Memory: findings live in the pool of their report; their texts belong to the
 * caller. Threads: pure. Failures: none.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/json_writer.h"

/* In the order of the exit status of `verifyctl doctor`. */
typedef enum {
    IDV_HEALTH_NOTE,
    IDV_HEALTH_WARNING,
    IDV_HEALTH_ERROR
} idv_health_severity_t;

typedef enum {
    IDV_HEALTH_SERVER,
    IDV_HEALTH_ORGANIZATION
} idv_health_scope_t;

typedef enum {
#define IDV_HEALTH_CHECK(name, code, severity, scope, wrong, deed)             \
    IDV_HEALTH_##name,
#include "domain/trust/health_checks.def"
#undef IDV_HEALTH_CHECK
    IDV_HEALTH_CHECK_COUNT
} idv_health_check_t;

typedef struct {
    const char *code; /* stable, for programs */
    idv_health_severity_t severity;
    idv_health_scope_t scope;
    const char *wrong, *deed;
} idv_health_info_t;

typedef struct {
    idv_health_check_t check;
    const char *organization_id; /* NULL: the server */
    const char *object_id;       /* a list, an endpoint, a key; NULL: none */
    const char *detail;          /* for the operator; NULL: none */
    apr_int64_t count;           /* 0: not about a number */
    idv_time_t at; /* since when, or its end; 0: not about a time */
} idv_health_finding_t;

typedef struct {
    idv_time_t created;
    apr_array_header_t *findings; /* idv_health_finding_t */
    int has_more;                 /* flag: there are more of some kind than
                                   * listed */
} idv_health_report_t;

/* An empty report at NOW. */
idv_health_report_t *idv_health_report(idv_time_t now, apr_pool_t *pool);

/* Adds FINDING to REPORT. */
void idv_health_add(idv_health_report_t *report, idv_health_finding_t finding);

/* Sorts by severity, worst first; stable. */
void idv_health_sort(idv_health_report_t *report);

/* The worst severity in REPORT; NOTE if it is empty. */
idv_health_severity_t idv_health_worst(const idv_health_report_t *report);

/* Writes {"object": "health_report", "status", "created", "findings",
 * "has_more"} without a key. `status` is "ok", "warning" or "error". */
void idv_health_write(idv_json_writer_t *writer,
                      const idv_health_report_t *report);

#endif
