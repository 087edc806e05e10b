/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/gate/gate.h"

#include <stdlib.h>
#include <string.h>

#include <apr_encode.h>
#include <apr_lib.h>
#include <apr_strings.h>

#include "core/id.h"

#define PROOF_WORD "P1"
#define VISIT_WORD "V1"
#define NONE "-"
#define AGE_MAX 99
#define NONCE_MAX 64

/* --- names and demands --- */

int idv_gate_name_is_valid(const char *name)
{
    apr_size_t length = strlen(name);

    return length > 0 && length <= IDV_GATE_NAME_MAX
        && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

const char *idv_gate_demand_parse(const char *words, idv_gate_demand_t *demand)
{
    char *end;
    long age;

    if (strcmp(words, "lawful") == 0) {
        demand->kind = IDV_GATE_LAWFUL;
        return NULL;
    }
    if (!apr_isdigit(*words))
        return "needs an age from 1 to 99, or lawful";
    age = strtol(words, &end, 10);
    if (*end || age < 1 || age > AGE_MAX)
        return "needs an age from 1 to 99, or lawful";
    demand->kind = IDV_GATE_AGE;
    demand->age = (int)age;
    return NULL;
}

int idv_gate_proved_age(int age, int required)
{
    int reached = age > 0 ? idv_tier_age(idv_tier_reached(age)) : 0;

    return reached > required ? reached : required;
}

int idv_gate_is_met(const idv_gate_demand_t *demand,
                    const idv_gate_proof_t *proof, int lawful_age)
{
    switch (demand->kind) {
    case IDV_GATE_IDENTITY:
        return proof->identity;
    case IDV_GATE_LAWFUL:
        return proof->age > 0 && proof->age >= lawful_age;
    default:
        return proof->age >= demand->age;
    }
}

/* --- sealed texts --- */

const char *idv_gate_cookie(const char *header, const char *name,
                            apr_pool_t *pool)
{
    apr_size_t length = strlen(name);

    while (header && *header) {
        const char *end;

        header += strspn(header, "; \t");
        end = header + strcspn(header, ";");
        if (strncmp(header, name, length) == 0 && header[length] == '=') {
            const char *value = header + length + 1;

            return apr_pstrmemdup(pool, value, (apr_size_t)(end - value));
        }
        header = end;
    }
    return NULL;
}

/* Between cookies; httpd joins several Cookie headers with a comma. */
#define SEPARATORS ";, \t"

/* Whether the cookie at TEXT is NAME. */
static int is_cookie(const char *text, const char *name)
{
    apr_size_t length = strlen(name);

    return strncmp(text, name, length) == 0
        && text[length + strspn(text + length, " \t")] == '=';
}

const char *idv_gate_cookies_without(const char *header, const char *name,
                                     apr_pool_t *pool)
{
    char *kept, *out;
    int is_changed = 0;

    if (!header || !strstr(header, name))
        return header;
    kept = out = apr_palloc(pool, strlen(header) + 1);
    for (const char *from = header, *end; *from; from = end) {
        const char *cookie = from + strspn(from, SEPARATORS);

        end = cookie + strcspn(cookie, ";,");
        if (is_cookie(cookie, name)) {
            is_changed = 1;
            continue;
        }
        if (is_changed && out == kept)
            from = cookie;
        memcpy(out, from, (apr_size_t)(end - from));
        out += end - from;
    }
    *out = '\0';
    if (!is_changed)
        return header;
    return kept[strspn(kept, SEPARATORS)] ? kept : NULL;
}

/* No part of it has a line break, so that no two places have the same text. */
static const char *context_of(const idv_gate_place_t *place, const char *word,
                              apr_pool_t *pool)
{
    return apr_pstrcat(pool, word, "\n", place->gate, "\n",
                       place->organization_id, "\n", place->workflow_id, "\n",
                       place->origin, NULL);
}

static idv_error_t *seal(const idv_gate_place_t *place, const char *word,
                         const char *text, const char **cookie,
                         apr_pool_t *pool)
{
    const idv_seal_place_t seal = {IDV_SEALING_GATE,
                                   context_of(place, word, pool)};
    idv_bytes_t sealed;

    IDV_TRY(idv_keyring_seal(
        place->keyring, seal,
        (idv_bytes_t){(const unsigned char *)text, strlen(text)}, &sealed,
        pool));
    *cookie = apr_pencode_base64_binary(
        pool, sealed.data, (apr_ssize_t)sealed.length,
        APR_ENCODE_BASE64URL | APR_ENCODE_NOPADDING, NULL);
    return NULL;
}

/* The words of what was sealed, to a NULL; NULL: COOKIE is not valid here. */
static char **open_words(const idv_gate_place_t *place, const char *word,
                         const char *cookie, apr_pool_t *pool)
{
    const idv_seal_place_t seal = {IDV_SEALING_GATE,
                                   context_of(place, word, pool)};
    idv_bytes_t sealed, plain;
    char **words;

    if (!cookie || strlen(cookie) > IDV_GATE_COOKIE_MAX)
        return NULL;
    sealed.data = apr_pdecode_base64_binary(
        pool, cookie, APR_ENCODE_STRING,
        APR_ENCODE_BASE64URL | APR_ENCODE_NOPADDING, &sealed.length);
    if (!sealed.data || sealed.length <= IDV_SEAL_OVERHEAD
        || idv_keyring_open(place->keyring, seal, sealed, &plain, pool)
        || apr_tokenize_to_argv((const char *)plain.data, &words, pool)
               != APR_SUCCESS
        || !words[0] || strcmp(words[0], word) != 0)
        return NULL;
    return words;
}

static int count_words(char *const *words)
{
    int count = 0;

    while (words && words[count])
        count++;
    return count;
}

/* --- the proof --- */

static const char *or_none(const char *value)
{
    return value ? value : NONE;
}

idv_error_t *idv_gate_proof_seal(const idv_gate_place_t *place,
                                 const idv_gate_proof_t *proof,
                                 const char **cookie, apr_pool_t *pool)
{
    const char *text =
        apr_psprintf(pool,
                     PROOF_WORD " %s %" APR_INT64_T_FMT " %" APR_INT64_T_FMT
                                " %d %d %s %s %s",
                     proof->session_id, (apr_int64_t)proof->expires,
                     (apr_int64_t)proof->checked, proof->age, proof->identity,
                     or_none(idv_use_case_value(proof->use_case)),
                     or_none(idv_article_value(proof->article)),
                     or_none(idv_channel_value(proof->channel)));

    return seal(place, PROOF_WORD, text, cookie, pool);
}

const idv_gate_proof_t *idv_gate_proof_open(const idv_gate_place_t *place,
                                            const char *cookie, idv_time_t now,
                                            apr_pool_t *pool)
{
    char **words = open_words(place, PROOF_WORD, cookie, pool);
    idv_gate_proof_t *proof;

    if (count_words(words) != 9 || !idv_id_is(IDV_ID_SESSION, words[1]))
        return NULL;
    proof = apr_pcalloc(pool, sizeof(*proof));
    proof->session_id = words[1];
    proof->expires = apr_atoi64(words[2]);
    proof->checked = apr_atoi64(words[3]);
    proof->age = atoi(words[4]);
    proof->identity = atoi(words[5]) != 0;
    proof->use_case = idv_use_case_parse(words[6]);
    proof->article = idv_article_parse(words[7]);
    proof->channel = idv_channel_parse(words[8]);
    return proof->expires > now ? proof : NULL;
}

/* --- the visit --- */

idv_error_t *idv_gate_visit_seal(const idv_gate_place_t *place,
                                 const idv_gate_visit_t *visit,
                                 const char **cookie, apr_pool_t *pool)
{
    const char *text =
        apr_psprintf(pool, VISIT_WORD " %" APR_INT64_T_FMT " %s %s %s",
                     (apr_int64_t)visit->began, visit->nonce,
                     or_none(visit->session_id), visit->destination);

    return seal(place, VISIT_WORD, text, cookie, pool);
}

const idv_gate_visit_t *idv_gate_visit_open(const idv_gate_place_t *place,
                                            const char *cookie, idv_time_t now,
                                            apr_pool_t *pool)
{
    char **words = open_words(place, VISIT_WORD, cookie, pool);
    idv_gate_visit_t *visit;

    if (count_words(words) != 5 || strlen(words[2]) > NONCE_MAX
        || !idv_gate_destination_is_safe(words[4]))
        return NULL;
    visit = apr_pcalloc(pool, sizeof(*visit));
    visit->began = apr_atoi64(words[1]);
    visit->nonce = words[2];
    visit->session_id = strcmp(words[3], NONE) == 0 ? NULL : words[3];
    visit->destination = words[4];
    return now - visit->began < IDV_GATE_VISIT_VALIDITY ? visit : NULL;
}

/* --- pages --- */

static const int page_statuses[IDV_GATE_PAGE_COUNT] = {
#define X(name, status) [IDV_GATE_PAGE_##name] = status,
    IDV_GATE_PAGES(X)
#undef X
};

int idv_gate_page_status(idv_gate_page_t page)
{
    return page_statuses[page];
}

/* --- requests --- */

int idv_gate_is_navigation(const idv_gate_head_t *head)
{
    if (!head->is_read || head->purpose)
        return 0;
    if (head->fetch_mode || head->fetch_dest)
        return head->fetch_mode && strcmp(head->fetch_mode, "navigate") == 0
            && (!head->fetch_dest || strcmp(head->fetch_dest, "document") == 0);
    return !head->requested_with && head->accept
        && (strstr(head->accept, "text/html")
            || strstr(head->accept, "application/xhtml+xml"));
}

/* Whether TEXT, behind a slash, begins with what some reader takes for another
 * slash, for what may become one when it is decoded again, or skips. */
static int begins_like_slash(const char *text)
{
    if (*text != '%')
        return *text == '/' || *text == '\\';
    return text[1] == '0' || text[1] == '1' || strncmp(text + 1, "20", 2) == 0
        || strncmp(text + 1, "25", 2) == 0
        || strncasecmp(text + 1, "2f", 2) == 0
        || strncasecmp(text + 1, "5c", 2) == 0;
}

/* Whether PATH, up to a query, has a segment of dots or an escaped dot:
 * browsers send none. */
static int has_dot_segment(const char *path)
{
    apr_size_t length = strcspn(path, "?");

    for (apr_size_t i = 0; i < length; i++) {
        apr_size_t dots;

        if (strncasecmp(path + i, "%2e", 3) == 0)
            return 1;
        if (path[i] != '/')
            continue;
        dots = strspn(path + i + 1, ".");
        if (dots >= 1 && dots <= 2
            && (i + 1 + dots >= length || path[i + 1 + dots] == '/'))
            return 1;
    }
    return 0;
}

int idv_gate_destination_is_safe(const char *text)
{
    if (text[0] != '/' || begins_like_slash(text + 1)
        || strlen(text) > IDV_GATE_DESTINATION_MAX
        || strncmp(text, IDV_GATE_ROOT, strlen(IDV_GATE_ROOT)) == 0)
        return 0;
    /* apr_tokenize_to_argv() reads quotes and backslashes. */
    for (const char *c = text; *c; c++)
        if (*c <= ' ' || *c >= 0x7f || strchr("\\\"'<>#", *c))
            return 0;
    return !has_dot_segment(text);
}
