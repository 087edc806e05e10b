/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/webhook/signature_diagnosis.h"

#include <stdlib.h>
#include <string.h>

#include <apr_encode.h>
#include <apr_lib.h>
#include <apr_strings.h>
#include <openssl/crypto.h>

#include "core/json.h"
#include "domain/value/issued_secret.h"

#define FOUND(finding) (1u << IDV_SIGNATURE_##finding)
#define SIGNATURE_DIGITS ((size_t)(2 * IDV_DIGEST_SIZE))
#define SECRET_PREFIX "whsec_"

static const char *const names[IDV_SIGNATURE_FINDING_COUNT] = {
#define IDV_SIGNATURE_FINDING(name, code, meaning) [IDV_SIGNATURE_##name] = code,
#include "domain/webhook/signature_findings.def"
#undef IDV_SIGNATURE_FINDING
};

static const char *const meanings[IDV_SIGNATURE_FINDING_COUNT] = {
#define IDV_SIGNATURE_FINDING(name, code, meaning)                             \
    [IDV_SIGNATURE_##name] = meaning,
#include "domain/webhook/signature_findings.def"
#undef IDV_SIGNATURE_FINDING
};

const char *idv_signature_finding_name(idv_signature_finding_t finding)
{
    return names[finding];
}

const char *idv_signature_finding_meaning(idv_signature_finding_t finding)
{
    return meanings[finding];
}

/* --- the header --- */

typedef struct {
    const char *seconds;   /* as written in the header */
    const char *signature; /* of v1 */
} header_t;

static const char *part_of(const char *header, const char *name,
                           apr_pool_t *pool)
{
    char *state, *text = apr_pstrdup(pool, header);
    size_t length = strlen(name);

    for (char *part = apr_strtok(text, ",", &state); part;
         part = apr_strtok(NULL, ",", &state)) {
        part += strspn(part, " \t");
        if (strncmp(part, name, length) == 0 && part[length] == '=')
            return part + length + 1;
    }
    return NULL;
}

static int is_of(const char *text, const char *characters)
{
    return text && *text && text[strspn(text, characters)] == '\0';
}

static int read_header(const char *text, header_t *header, apr_pool_t *pool)
{
    header->seconds = part_of(text, "t", pool);
    header->signature = part_of(text, "v1", pool);
    return is_of(header->seconds, "0123456789")
        && strlen(header->seconds) <= 12
        && is_of(header->signature, "0123456789abcdefABCDEF")
        && strlen(header->signature) == SIGNATURE_DIGITS;
}

/* --- signatures --- */

/* "hex" of the HMAC of TEXT. */
static const char *sign(idv_bytes_t key, const char *text, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_hmac_sha256(key, text, strlen(text), digest);
    return idv_hex(digest, sizeof(digest), pool);
}

static const char *signed_text(const header_t *header, const char *body,
                               apr_pool_t *pool)
{
    return apr_pstrcat(pool, header->seconds, ".", body, NULL);
}

/* Whether GIVEN is the digest with these DIGITS, in any case of letters. */
static int is_hex(const char *given, const char *digits)
{
    return strlen(given) == SIGNATURE_DIGITS
        && strcasecmp(given, digits) == 0;
}

static int is_base64(const char *given, idv_bytes_t key, const char *text,
                     apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_hmac_sha256(key, text, strlen(text), digest);
    return strcmp(given, apr_pencode_base64_binary(pool, digest, sizeof(digest),
                                                   APR_ENCODE_NONE, NULL))
        == 0;
}

/* --- bodies --- */

static const char *without_space(const char *text, apr_pool_t *pool)
{
    const char *end = text + strlen(text);

    while (apr_isspace(*text))
        text++;
    while (end > text && apr_isspace(end[-1]))
        end--;
    return apr_pstrmemdup(pool, text, (apr_size_t)(end - text));
}

static int is_same_json(const char *one, const char *other)
{
    json_t *a = json_loads(one, 0, NULL), *b = json_loads(other, 0, NULL);
    int is_same = a && b && json_equal(a, b);

    json_decref(a);
    json_decref(b);
    return is_same;
}

static unsigned compare_bodies(const char *sent, const char *received,
                               apr_pool_t *pool)
{
    if (strcmp(sent, received) == 0)
        return FOUND(BODY_SAME);
    if (strcmp(without_space(sent, pool), without_space(received, pool)) == 0)
        return FOUND(BODY_WHITESPACE);
    return is_same_json(sent, received) ? FOUND(BODY_REWRITTEN)
                                        : FOUND(BODY_OTHER);
}

/* --- what his server computed --- */

/* Tries the mistakes with the key; the right one was tried. */
static unsigned try_keys(const idv_signature_question_t *question,
                         const header_t *header, const char *const *bodies,
                         apr_pool_t *pool)
{
    unsigned char bytes[IDV_WEBHOOK_SECRET_BYTES_MAX];
    const size_t prefix = strlen(SECRET_PREFIX);
    const idv_bytes_t bare = {question->secret.data + prefix,
                              question->secret.length - prefix};
    idv_bytes_t decoded = {0};
    unsigned found = 0;
    idv_error_t *error =
        idv_webhook_secret_decode(question->secret, bytes, &decoded, pool);

    for (int i = 0; !error && bodies[i] && !found; i++) {
        const char *text = signed_text(header, bodies[i], pool);

        if (is_hex(question->computed, sign(decoded, text, pool)))
            found = FOUND(COMPUTED_KEY_DECODED);
        else if (is_hex(question->computed, sign(bare, text, pool)))
            found = FOUND(COMPUTED_KEY_WITHOUT_PREFIX);
    }
    OPENSSL_cleanse(bytes, sizeof(bytes));
    return found;
}

static unsigned try_texts(const idv_signature_question_t *question,
                          const header_t *header, const char *body,
                          apr_pool_t *pool)
{
    const char *computed = question->computed;
    const idv_bytes_t secret = question->secret;
    const char *text = signed_text(header, body, pool);

    if (is_hex(computed, sign(secret, text, pool)))
        return strcmp(body, question->sent) == 0
                 ? FOUND(COMPUTED_RIGHT)
                 : FOUND(COMPUTED_OF_OTHER_BODY);
    if (is_base64(computed, secret, text, pool))
        return FOUND(COMPUTED_BASE64);
    if (is_hex(computed, sign(secret, body, pool))
        || is_base64(computed, secret, body, pool))
        return FOUND(COMPUTED_WITHOUT_TIME);
    text = apr_pstrcat(pool, header->seconds, body, NULL);
    return is_hex(computed, sign(secret, text, pool))
             ? FOUND(COMPUTED_WITHOUT_DOT)
             : 0;
}

static unsigned explain_computed(const idv_signature_question_t *question,
                                 const header_t *header, apr_pool_t *pool)
{
    const char *bodies[] = {question->sent, question->received, NULL};
    unsigned found = 0;

    for (int i = 0; bodies[i] && !found; i++)
        found = try_texts(question, header, bodies[i], pool);
    if (!found)
        found = try_keys(question, header, bodies, pool);
    return found ? found : FOUND(COMPUTED_OTHER);
}

unsigned idv_signature_diagnose(const idv_signature_question_t *question,
                                apr_pool_t *pool)
{
    unsigned found = 0;
    header_t header;
    apr_int64_t age;

    if (question->received)
        found |= compare_bodies(question->sent, question->received, pool);
    if (!read_header(question->header, &header, pool))
        return found | FOUND(HEADER_MALFORMED);
    age = idv_time_seconds(question->now) - apr_atoi64(header.seconds);
    if (llabs(age) > IDV_SIGNATURE_TOLERANCE / IDV_SECOND)
        found |= FOUND(TIME_OFF);
    found |= is_hex(header.signature,
                    sign(question->secret,
                         signed_text(&header, question->sent, pool), pool))
               ? FOUND(HEADER_GENUINE)
               : FOUND(HEADER_OTHER);
    if (question->computed)
        found |= explain_computed(question, &header, pool);
    return found;
}
