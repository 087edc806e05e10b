/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_CONFIGURATION_H
#define IDV_HTTPD_GATE_CONFIGURATION_H

/*
 * What the directives say of age gates. A server has gates (VerifyGate), of
 * which a section names the one that its `Require verified-age` asks for
 * (VerifyGateUse) and whom it lets pass without one (VerifyGateSkip).
 *
 * Sections are merged after they are read, so what they say of gates is noted
 * with its place and checked when the configuration is whole.
 *
 * Threads: read only once the configuration is complete. Memory: its pool.
 */
#include <ap_expr.h>
#include <httpd.h>
#include <http_config.h>

typedef struct {
    const char *name;
    const char *organization_id, *workflow_id;
    const char *session_type; /* "age" or "identity" */
    const char *jurisdiction; /* normal form; NULL: seen or of the workflow */
    /* Names of its cookies, and its paths. */
    const char *proof_cookie, *visit_cookie;
    const char *start_path, *return_path, *denied_path;
} idv_gate_t;

/* What a section says. */
typedef struct {
    const char *gate;           /* NULL: none */
    const ap_expr_info_t *skip; /* NULL: nobody */
} idv_gate_section_t;

/* --- reading; the result is what is wrong, or NULL --- */

/* WORDS of VerifyGate; OTHERS are those of the server before it, or NULL. */
const char *idv_gate_read(cmd_parms *command, const char *words,
                          const apr_array_header_t *others,
                          const idv_gate_t **gate);

/* WORD of VerifyGateUse and VerifyGateSkip into SECTION. */
const char *idv_gate_read_use(cmd_parms *command, idv_gate_section_t *section,
                              const char *word);
const char *idv_gate_read_skip(cmd_parms *command, idv_gate_section_t *section,
                               const char *word);

/* Notes that the directive of COMMAND asks for a proof. */
void idv_gate_note_require(cmd_parms *command);

/* For the module record. */
void *idv_gate_section_create(apr_pool_t *pool, char *path);
void *idv_gate_section_merge(apr_pool_t *pool, void *base, void *overlay);

/* --- after reading --- */

/* Looks at what SERVERS say of gates, and writes each mistake to the log with
 * its place. OK or HTTP_INTERNAL_SERVER_ERROR. */
int idv_gate_configuration_check(server_rec *servers, apr_pool_t *scratch);

/* The gate NAME of SERVER; NULL: it has none of that name. */
const idv_gate_t *idv_gate_find(const server_rec *server, const char *name);

/* Non-zero when SERVER is in service and has gates. */
int idv_gate_server_has_any(const server_rec *server);

/* What holds for R. */
const idv_gate_section_t *idv_gate_section_of(const request_rec *r);

#endif
