/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/gate/gate_configuration.h"

#include <string.h>

#include <apr_strings.h>
#include <http_log.h>

#include "core/id.h"
#include "domain/gate/gate.h"
#include "domain/value/jurisdiction.h"
#include "httpd/configuration/configuration.h"
#include "httpd/configuration/site.h"

APLOG_USE_MODULE(verify);

/* A gate directive in a section. */
typedef struct {
    const ap_directive_t *directive;
    const char *gate; /* the gate in use; NULL: it is a Require */
} mention_t;

/* --- reading --- */

static void name_parts(idv_gate_t *gate, apr_pool_t *pool)
{
    const char *root = apr_pstrcat(pool, IDV_GATE_ROOT, gate->name, "/", NULL);

    gate->proof_cookie =
        apr_pstrcat(pool, "__Host-verify-gate-", gate->name, NULL);
    gate->visit_cookie =
        apr_pstrcat(pool, "__Host-verify-visit-", gate->name, NULL);
    gate->start_path = apr_pstrcat(pool, root, "start", NULL);
    gate->return_path = apr_pstrcat(pool, root, "return", NULL);
    gate->denied_path = apr_pstrcat(pool, root, "denied", NULL);
}

static const char *read_names(cmd_parms *command, const char **words,
                              idv_gate_t *gate)
{
    gate->name = ap_getword_conf(command->pool, words);
    gate->organization_id = ap_getword_conf(command->pool, words);
    gate->workflow_id = ap_getword_conf(command->pool, words);
    if (!idv_gate_name_is_valid(gate->name))
        return apr_psprintf(command->pool,
                            "\"%s\" is not a name of a gate: use 1 to %d "
                            "lower-case letters, digits and hyphens",
                            gate->name, IDV_GATE_NAME_MAX);
    if (!idv_id_is(IDV_ID_ORGANIZATION, gate->organization_id))
        return apr_psprintf(command->pool,
                            "\"%s\" is not the id of an organization "
                            "(org_...); verifyctl org list shows them",
                            gate->organization_id);
    if (!idv_id_is(IDV_ID_WORKFLOW, gate->workflow_id))
        return apr_psprintf(command->pool,
                            "\"%s\" is not the id of a workflow (wf_...); "
                            "verifyctl workflow list shows them",
                            gate->workflow_id);
    return NULL;
}

static const char *read_rest(cmd_parms *command, const char *words,
                             idv_gate_t *gate)
{
    const char *word;

    gate->session_type = "age";
    while (*(word = ap_getword_conf(command->pool, &words))) {
        const char *jurisdiction =
            idv_jurisdiction_normalize(word, command->pool);

        if (strcmp(word, "age") == 0 || strcmp(word, "identity") == 0)
            gate->session_type = word;
        else if (jurisdiction)
            gate->jurisdiction = jurisdiction;
        else
            return apr_psprintf(command->pool,
                                "\"%s\" is neither age nor identity nor a "
                                "jurisdiction such as DE or US-CA",
                                word);
    }
    return NULL;
}

static const idv_gate_t *find_among(const apr_array_header_t *gates,
                                    const char *name)
{
    for (int i = 0; gates && i < gates->nelts; i++) {
        const idv_gate_t *gate = APR_ARRAY_IDX(gates, i, const idv_gate_t *);

        if (strcmp(gate->name, name) == 0)
            return gate;
    }
    return NULL;
}

const char *idv_gate_read(cmd_parms *command, const char *words,
                          const apr_array_header_t *others,
                          const idv_gate_t **out)
{
    idv_gate_t *gate = apr_pcalloc(command->pool, sizeof(*gate));
    const char *fault = read_names(command, &words, gate);

    if (!fault)
        fault = read_rest(command, words, gate);
    if (!fault && find_among(others, gate->name))
        fault = apr_psprintf(command->pool,
                             "there is another gate named %s in this server",
                             gate->name);
    name_parts(gate, command->pool);
    *out = gate;
    return fault;
}

/* A .htaccess file is read by a request, whose pool ends before the
 * configuration. The request itself finds out whether a gate is missing. */
static void note_mention(cmd_parms *command, const char *gate)
{
    idv_configuration_t *configuration = idv_configuration_of(command->server);
    mention_t *mention;

    if (ap_check_cmd_context(command, NOT_IN_HTACCESS))
        return;
    if (!configuration->gate_mentions)
        configuration->gate_mentions =
            apr_array_make(command->pool, 4, sizeof(mention_t));
    mention = apr_array_push(configuration->gate_mentions);
    *mention = (mention_t){command->directive, gate};
}

const char *idv_gate_read_use(cmd_parms *command, idv_gate_section_t *section,
                              const char *word)
{
    section->gate = word;
    note_mention(command, word);
    return NULL;
}

const char *idv_gate_read_skip(cmd_parms *command, idv_gate_section_t *section,
                               const char *word)
{
    const char *fault = NULL;

    if (strncmp(word, "expr=", 5) == 0)
        word += 5;
    section->skip = ap_expr_parse_cmd(command, word, 0, &fault, NULL);
    return fault;
}

void idv_gate_note_require(cmd_parms *command)
{
    /* A section without our directives has no settings yet. */
    idv_gate_section_t *section =
        ap_set_config_vectors(command->server, command->context, command->path,
                              &verify_module, command->pool);

    section->requires = 1;
    note_mention(command, NULL);
}

void *idv_gate_section_create(apr_pool_t *pool, char *path)
{
    (void)path;
    return apr_pcalloc(pool, sizeof(idv_gate_section_t));
}

void *idv_gate_section_merge(apr_pool_t *pool, void *base, void *overlay)
{
    idv_gate_section_t *merged = apr_pmemdup(pool, base, sizeof(*merged));
    const idv_gate_section_t *own = overlay;

    if (own->gate)
        merged->gate = own->gate;
    if (own->skip)
        merged->skip = own->skip;
    merged->requires |= own->requires;
    return merged;
}

/* --- after reading --- */

const idv_gate_t *idv_gate_find(const server_rec *server, const char *name)
{
    return find_among(idv_configuration_of(server)->settings.gates, name);
}

int idv_gate_server_has_any(const server_rec *server)
{
    return idv_configuration_of(server)->settings.gates->nelts > 0
        && idv_configuration_in_service(server);
}

const idv_gate_section_t *idv_gate_section_of(const request_rec *r)
{
    return ap_get_module_config(r->per_dir_config, &verify_module);
}

static const char *names_of(const apr_array_header_t *gates, apr_pool_t *pool)
{
    const char *names = "";

    for (int i = 0; i < gates->nelts; i++)
        names = apr_pstrcat(pool, names, *names ? ", " : "",
                            APR_ARRAY_IDX(gates, i, const idv_gate_t *)->name,
                            NULL);
    return *names ? apr_pstrcat(pool, "it has ", names, NULL)
                  : "it has no VerifyGate";
}

/* Whether visitors of SERVER use HTTPS, as far as the configuration shows. For
 * a main server, the virtual hosts that inherit its sections count as well. */
static int has_https(const server_rec *server, const server_rec *servers,
                     apr_pool_t *scratch)
{
    const char *origin = idv_configuration_of(server)->settings.gate_origin;

    if (origin)
        return strncmp(origin, "https://", 8) == 0;
    if ((server->server_scheme && strcmp(server->server_scheme, "https") == 0)
        || idv_site_has_tls(server, scratch))
        return 1;
    for (const server_rec *other = servers->next; !server->is_virtual && other;
         other = other->next)
        if (has_https(other, servers, scratch))
            return 1;
    return 0;
}

static const char *fault_of(const server_rec *server, const mention_t *mention,
                            const server_rec *servers, apr_pool_t *scratch)
{
    const idv_settings_t *settings = &idv_configuration_of(server)->settings;

    if (!idv_configuration_in_service(server))
        return "needs VerifyDatabase in the same server or outside of virtual "
               "hosts";
    if (mention->gate && !find_among(settings->gates, mention->gate))
        return apr_psprintf(scratch,
                            "this server has no gate named %s; %s: write "
                            "VerifyGate %s ORG WORKFLOW",
                            mention->gate, names_of(settings->gates, scratch),
                            mention->gate);
    if (mention->gate && !has_https(server, servers, scratch))
        return "a gate needs HTTPS, because its cookies are sent over no other "
               "connection: use it in a virtual host with TLS or, behind a "
               "proxy with TLS, set VerifyGateOrigin https://...";
    return NULL;
}

/* A Require without VerifyGateUse anywhere in the server, or in the main one,
 * since its sections also apply there. */
static int lacks_use(const server_rec *server, const server_rec *servers)
{
    const apr_array_header_t *lists[] = {
        idv_configuration_of(server)->gate_mentions,
        idv_configuration_of(servers)->gate_mentions};

    for (int i = 0; i < 2; i++)
        for (int j = 0; lists[i] && j < lists[i]->nelts; j++)
            if (APR_ARRAY_IDX(lists[i], j, mention_t).gate)
                return 0;
    return 1;
}

/* --- what httpd accepts although it guards nothing --- */

static int is_directive(const ap_directive_t *directive, const char *name,
                        const char *words)
{
    return strcasecmp(directive->directive, name) == 0
        && ap_cstr_casecmp(directive->args, words) == 0;
}

/* The directive in the same section as DIRECTIVE that lets in everybody whom it
 * refuses; NULL: none. Outside of <RequireAll>, one condition is enough. */
static const ap_directive_t *find_bypass(const ap_directive_t *directive)
{
    const ap_directive_t *parent;

    while ((parent = directive->parent) != NULL) {
        const int is_any = strcasecmp(parent->directive, "<RequireAny") == 0;

        if (!is_any && strncasecmp(parent->directive, "<Require", 8) == 0)
            return NULL;
        for (const ap_directive_t *other = parent->first_child; other;
             other = other->next)
            if (is_directive(other, "Require", "all granted")
                || is_directive(other, "Satisfy", "any"))
                return other;
        if (!is_any)
            return NULL;
        directive = parent;
    }
    return NULL;
}

static int has_require(const server_rec *server)
{
    const apr_array_header_t *mentions =
        idv_configuration_of(server)->gate_mentions;

    for (int i = 0; mentions && i < mentions->nelts; i++)
        if (!APR_ARRAY_IDX(mentions, i, mention_t).gate)
            return 1;
    return 0;
}

static void warn_of_mention(server_rec *server, const mention_t *mention,
                            server_rec *servers)
{
    const ap_directive_t *directive = mention->directive;
    const ap_directive_t *bypass =
        mention->gate ? NULL : find_bypass(directive);

    if (bypass)
        ap_log_error(APLOG_MARK, APLOG_WARNING, 0, server,
                     "IDV0105: %s %s (%s:%d) lets in visitors without proof, "
                     "whatever %s %s (line %d) demands: remove it",
                     bypass->directive, bypass->args, bypass->filename,
                     bypass->line_num, directive->directive, directive->args,
                     directive->line_num);
    if (mention->gate && !has_require(server) && !has_require(servers))
        ap_log_error(APLOG_MARK, APLOG_WARNING, 0, server,
                     "IDV0106: %s %s (%s:%d) guards nothing, unless a "
                     ".htaccess file does: write Require verified-age 18 in "
                     "the same section",
                     directive->directive, directive->args,
                     directive->filename, directive->line_num);
}

/* Of all servers, each once. Written in the parent, before any child exists. */
static const apr_array_header_t *cookies;

const apr_array_header_t *idv_gate_cookies(void)
{
    return cookies;
}

int idv_gates_are_in_use(void)
{
    return cookies && cookies->nelts > 0;
}

static void add_cookie(apr_array_header_t *names, const char *name)
{
    for (int i = 0; i < names->nelts; i++)
        if (strcmp(APR_ARRAY_IDX(names, i, const char *), name) == 0)
            return;
    APR_ARRAY_PUSH(names, const char *) = name;
}

static void note_cookies(const server_rec *servers)
{
    apr_array_header_t *names =
        apr_array_make(servers->process->pconf, 4, sizeof(const char *));

    for (const server_rec *server = servers; server; server = server->next) {
        const apr_array_header_t *gates =
            idv_configuration_of(server)->settings.gates;

        for (int i = 0;
             idv_gate_server_has_any(server) && i < gates->nelts; i++) {
            const idv_gate_t *gate = APR_ARRAY_IDX(gates, i, const idv_gate_t *);

            add_cookie(names, gate->proof_cookie);
            add_cookie(names, gate->visit_cookie);
        }
    }
    cookies = names;
}

int idv_gate_configuration_check(server_rec *servers, apr_pool_t *scratch)
{
    int result = OK;

    note_cookies(servers);
    for (server_rec *server = servers; server; server = server->next) {
        const apr_array_header_t *mentions =
            idv_configuration_of(server)->gate_mentions;

        /* A virtual host without directives of its own shares those of the main
         * server. */
        if (server != servers
            && idv_configuration_of(server) == idv_configuration_of(servers))
            continue;
        for (int i = 0; mentions && i < mentions->nelts; i++) {
            const mention_t *mention = &APR_ARRAY_IDX(mentions, i, mention_t);
            const char *fault = fault_of(server, mention, servers, scratch);

            if (!fault && !mention->gate && lacks_use(server, servers))
                fault = "needs VerifyGateUse NAME in the same section, which "
                        "says which gate visitors are sent to";
            if (!fault) {
                warn_of_mention(server, mention, servers);
                continue;
            }
            ap_log_error(
                APLOG_MARK, APLOG_EMERG, 0, server, "IDV0100: %s (%s:%d): %s",
                mention->directive->directive, mention->directive->filename,
                mention->directive->line_num, fault);
            result = HTTP_INTERNAL_SERVER_ERROR;
        }
    }
    return result;
}
