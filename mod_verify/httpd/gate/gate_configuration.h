/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_GATE_CONFIGURATION_H
#define IDV_HTTPD_GATE_GATE_CONFIGURATION_H

/*
 * The configuration of age gates. A server defines gates (VerifyGate). A
 * section names the gate that its `Require verified-age` uses (VerifyGateUse)
 * and the visitors who pass without one (VerifyGateSkip).
 *
 * Sections are merged after they are read. So mentions of gates are noted with
 * their places and checked when the configuration is complete.
 *
 * Threads: only read once the configuration is complete. Memory: its pool.
 */
#include <ap_expr.h>
#include <httpd.h>
#include <http_config.h>

typedef struct {
    const char *name;
    const char *organization_id, *workflow_id;
    const char *session_type; /* "age" or "identity" */
    const char *jurisdiction; /* normal form; NULL: detected, or the
                               * workflow's */
    /* Names of its cookies, and its paths. */
    const char *proof_cookie, *visit_cookie;
    const char *start_path, *return_path, *denied_path;
} idv_gate_t;

/* The gate settings of a section. */
typedef struct {
    const char *gate;           /* NULL: none */
    const ap_expr_info_t *skip; /* NULL: nobody */
    int requires; /* flag: it or a section around it requires a proof */
} idv_gate_section_t;

/* --- reading; each function returns the fault, or NULL --- */

/* Reads the WORDS of VerifyGate. OTHERS are the earlier gates of the server, or
 * NULL. */
const char *idv_gate_read(cmd_parms *command, const char *words,
                          const apr_array_header_t *others,
                          const idv_gate_t **gate);

/* Reads WORD of VerifyGateUse or VerifyGateSkip into SECTION. */
const char *idv_gate_read_use(cmd_parms *command, idv_gate_section_t *section,
                              const char *word);
const char *idv_gate_read_skip(cmd_parms *command, idv_gate_section_t *section,
                               const char *word);

/* Notes that the directive of COMMAND requires a proof. */
void idv_gate_note_require(cmd_parms *command);

/* For the module record. */
void *idv_gate_section_create(apr_pool_t *pool, char *path);
void *idv_gate_section_merge(apr_pool_t *pool, void *base, void *overlay);

/* --- after reading --- */

/* Checks the gates of SERVERS and logs each mistake with its place. OK or
 * HTTP_INTERNAL_SERVER_ERROR. */
int idv_gate_configuration_check(server_rec *servers, apr_pool_t *scratch);

/* Non-zero if any server has gates, once the configuration was checked. */
int idv_gates_are_in_use(void);

/* The names of the cookies of all gates, const char *, once the configuration was
 * checked: browsers send them to every server of the same host name. */
const apr_array_header_t *idv_gate_cookies(void);

/* The gate NAME of SERVER; NULL: no such gate. */
const idv_gate_t *idv_gate_find(const server_rec *server, const char *name);

/* Non-zero if SERVER is in service and has gates. */
int idv_gate_server_has_any(const server_rec *server);

/* The settings that apply to R. */
const idv_gate_section_t *idv_gate_section_of(const request_rec *r);

#endif
