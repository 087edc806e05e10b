/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_kinds.h"

#include <string.h>

#include "domain/account/key_scope.h"

#define CREATES IDV_SETUP_CREATES
#define FIXED (IDV_SETUP_CREATES | IDV_SETUP_FIXED)
#define NULLABLE IDV_SETUP_NULLABLE
#define OFF IDV_SETUP_OFF

/* Four eyes come last, so that they do not refuse a workflow of the same
 * file. */
static const idv_setup_field_t organization_fields[] = {
    {"sandbox", "sandbox", IDV_SETUP_FLAG, NULL, "sandbox", FIXED},
    {"billing_status", "billing_status", IDV_SETUP_TEXT, "org update",
     "billing-status", 0},
    {"free_allotment", "free_allotment", IDV_SETUP_NUMBER, "org update",
     "free-allotment", 0},
    {"publishable_session_create", "publishable_session_create",
     IDV_SETUP_TEXT, "org update", "publishable-session-create", 0},
    {"limits.secret", "rate_limit.secret", IDV_SETUP_LIMIT, "org limits",
     "secret", NULLABLE | OFF},
    {"limits.publishable", "rate_limit.publishable", IDV_SETUP_LIMIT,
     "org limits", "publishable", NULLABLE | OFF},
    {"trust_deviations", "trust_deviations", IDV_SETUP_TEXT, "trust policy",
     "deviations", 0},
    {"brand", "brand", IDV_SETUP_BRAND, "org brand", NULL,
     NULLABLE | OFF},
    {"disabled", "disabled_at", IDV_SETUP_VERB, "org disable", "org enable",
     OFF},
    {"four_eyes.publish", "four_eyes.publish", IDV_SETUP_SWITCH,
     "org four-eyes", "publish", OFF},
    {"four_eyes.reject", "four_eyes.reject", IDV_SETUP_SWITCH, "org four-eyes",
     "reject", OFF},
    {"four_eyes.erase", "four_eyes.erase", IDV_SETUP_SWITCH, "org four-eyes",
     "erase", OFF},
    {0},
};

static const idv_setup_field_t application_fields[] = {
    {"reuse.accept_liability", NULL, IDV_SETUP_FLAG, "app reuse",
     "accept-liability", IDV_SETUP_SAID},
    {"reuse.enabled", "reuse.enabled", IDV_SETUP_SWITCH, "app reuse", "enabled",
     OFF},
    {"reuse.max_age_days", "reuse.max_age_days", IDV_SETUP_NUMBER, "app reuse",
     "max-age-days", 0},
    {"reuse.same_jurisdiction", "reuse.require_same_jurisdiction",
     IDV_SETUP_SWITCH, "app reuse", "same-jurisdiction", 0},
    {"reuse.methods", "reuse.accepted_methods", IDV_SETUP_WORDS, "app reuse",
     "methods", 0},
    {"retired", "retired_at", IDV_SETUP_VERB, "app retire", "app restore", OFF},
    {0},
};

static const idv_setup_field_t workflow_fields[] = {
    {"application", "application_id", IDV_SETUP_APPLICATION, NULL, "app",
     FIXED | NULLABLE},
    {"definition", "definition", IDV_SETUP_DOCUMENT, "workflow publish", NULL,
     CREATES},
    {"retired", "retired_at", IDV_SETUP_VERB, "workflow retire",
     "workflow restore", OFF},
    {0},
};

static const idv_setup_field_t key_fields[] = {
    {"type", "type", IDV_SETUP_TEXT, NULL, "type", FIXED},
    {"application", "application_id", IDV_SETUP_APPLICATION, NULL, "app",
     FIXED | NULLABLE},
    {"scopes", "scopes", IDV_SETUP_WORDS, NULL, "scope", FIXED | NULLABLE},
    {"expires_at", "expires_at", IDV_SETUP_NUMBER, NULL, "expires-at",
     FIXED | NULLABLE},
    {0},
};

static const idv_setup_field_t endpoint_fields[] = {
    {"url", "url", IDV_SETUP_URL, "endpoint update", "url", CREATES},
    {"enabled_events", "enabled_events", IDV_SETUP_WORDS, "endpoint update",
     "events", CREATES},
    {"description", "description", IDV_SETUP_TEXT, "endpoint update",
     "description", CREATES | NULLABLE},
    {"metadata", "metadata", IDV_SETUP_MAPPING, "endpoint update", "metadata",
     CREATES},
    {"application", "application_id", IDV_SETUP_APPLICATION, NULL, "app",
     FIXED | NULLABLE},
    {"disabled", "status", IDV_SETUP_VERB, "endpoint disable",
     "endpoint enable", OFF},
    {0},
};

static const idv_setup_field_t client_fields[] = {
    {"workflow", "workflow_id", IDV_SETUP_WORKFLOW, "oidc client update",
     "workflow", CREATES},
    {"redirect_uris", "redirect_uris", IDV_SETUP_ADDRESSES,
     "oidc client update", "redirect-uri", CREATES},
    {"scope", "scope", IDV_SETUP_TEXT, "oidc client update", "scope", CREATES},
    {"token_endpoint_auth_method", "token_endpoint_auth_method",
     IDV_SETUP_TEXT, NULL, "auth", FIXED},
    {"id_token_signed_response_alg", "id_token_signed_response_alg",
     IDV_SETUP_TEXT, "oidc client update", "alg", CREATES},
    {"jwks", "jwks", IDV_SETUP_DOCUMENT, "oidc client update", "jwks",
     CREATES | NULLABLE},
    {0},
};

static const idv_setup_field_t list_fields[] = {
    {"kind", "kind", IDV_SETUP_TEXT, NULL, "kind", FIXED},
    {"certificates", "certificates", IDV_SETUP_CERTIFICATES, "trust import",
     NULL, CREATES},
    {"file", NULL, IDV_SETUP_PATH, "trust import", NULL,
     CREATES | IDV_SETUP_SAID},
    {"signer", NULL, IDV_SETUP_PATH, "trust import", "signer",
     CREATES | IDV_SETUP_SAID},
    {0},
};

const idv_setup_kind_t idv_setup_organization = {
    .title = "organization",
    .create = "org create",
    .name_option = "name",
    .name_source = "name",
    .fields = organization_fields,
};

const idv_setup_kind_t idv_setup_kinds[] = {
    {.name = "applications",
     .title = "application",
     .list = "app list",
     .create = "app create",
     .remove = "app retire",
     .name_option = "name",
     .name_source = "name",
     .fields = application_fields},
    {.name = "workflows",
     .title = "workflow",
     .list = "workflow list",
     .create = "workflow publish",
     .remove = "workflow retire",
     .name_source = "name",
     .argument = "definition",
     .fields = workflow_fields},
    {.name = "api_keys",
     .title = "api_key",
     .list = "key list",
     .create = "key create",
     .remove = "key revoke",
     .name_option = "label",
     .name_source = "label",
     .secret = "key",
     .fields = key_fields},
    {.name = "webhook_endpoints",
     .title = "webhook_endpoint",
     .list = "endpoint list",
     .create = "endpoint create",
     .remove = "endpoint delete",
     .name_option = "name",
     .name_source = "name",
     .secret = "secret",
     .fields = endpoint_fields},
    {.name = "oidc_clients",
     .title = "oidc_client",
     .list = "oidc client list",
     .create = "oidc client create",
     .remove = "oidc client delete",
     .name_option = "name",
     .name_source = "name",
     .secret = "client_secret",
     .fields = client_fields},
    {.name = "trust_lists",
     .title = "trust_list",
     .list = "trust list",
     .create = "trust import",
     .remove = "trust remove",
     .name_option = "name",
     .name_source = "name",
     .argument = "certificates",
     .fields = list_fields},
    {0},
};

#define KIND_COUNT (sizeof(idv_setup_kinds) / sizeof(*idv_setup_kinds) - 1)
const idv_setup_kind_t *const idv_setup_trust_lists =
    &idv_setup_kinds[KIND_COUNT - 1];

/* Whether WORDS are those of COMMAND. */
static int is_called(const idv_command_t *command, const char *words)
{
    size_t length = strlen(command->noun);

    return strncmp(command->noun, words, length) == 0 && words[length] == ' '
        && command->verb && strcmp(command->verb, words + length + 1) == 0;
}

const idv_command_t *idv_setup_command(const char *words)
{
    const idv_command_t *command;

    for (int i = 0; (command = idv_command_at(i)) != NULL; i++)
        if (is_called(command, words))
            return command;
    return NULL;
}

const char *const *idv_setup_words(const idv_setup_field_t *field)
{
    static const char *const key_types[] = {"secret", "publishable", NULL};
    static const struct {
        const idv_setup_field_t *fields;
        const char *name;
        const char *const *words;
    } known[] = {{key_fields, "type", key_types},
                 {key_fields, "scopes", idv_key_scope_names}};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        for (const idv_setup_field_t *one = known[i].fields; one->name; one++)
            if (one == field && strcmp(one->name, known[i].name) == 0)
                return known[i].words;
    return NULL;
}
