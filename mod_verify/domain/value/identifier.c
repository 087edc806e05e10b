/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/identifier.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/value/host_name.h"

/* RFC 5321, 4.5.3.1; RFC 1035, 2.3.4. Bytes. */
#define EMAIL_MAX 254
#define LOCAL_PART_MAX 64
#define DOMAIN_MAX 253

/* More than any form that normalizes to a valid address: IDNA shortens no
 * name by more than the UTF-8 of its characters. */
#define TEXT_MAX (4 * EMAIL_MAX)

#define PHONE_DIGITS_MIN 7
#define PHONE_DIGITS_MAX 15

static const char white_space[] = " \t\r\n\v\f";

/* RFC 5322 atext without letters and digits. */
static const char atom_marks[] = "!#$%&'*+-/=?^_`{|}~";

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static idv_error_t *bad_email(const char *param, apr_pool_t *pool)
{
    return idv_error_param(pool, param, "must be an email address.");
}

/* A dot-atom, RFC 5322 3.2.3, with the UTF-8 of RFC 6532. */
static int is_local_part(const char *local)
{
    size_t length = strlen(local);

    if (length == 0 || length > LOCAL_PART_MAX || local[0] == '.'
        || local[length - 1] == '.' || strstr(local, ".."))
        return 0;
    for (const char *c = local; *c; c++)
        if (!is_digit(*c) && !(lower(*c) >= 'a' && lower(*c) <= 'z')
            && *c != '.' && !(*c & 0x80) && !strchr(atom_marks, *c))
            return 0;
    return 1;
}

/* A host name of at least two labels, letters, digits and inner hyphens, the
 * last not all digits. */
static int is_domain(const char *domain)
{
    const char *label = domain;

    if (strlen(domain) > DOMAIN_MAX || !strchr(domain, '.'))
        return 0;
    for (;;) {
        size_t length = strspn(label, "abcdefghijklmnopqrstuvwxyz0123456789-");
        char end = label[length];

        if (length == 0 || length > 63 || label[0] == '-'
            || label[length - 1] == '-' || (end && end != '.'))
            return 0;
        if (!end)
            return strspn(label, "0123456789") < length;
        label += length + 1;
    }
}

idv_error_t *idv_email_normalize(const char *text, const char *param,
                                 const char **out, apr_pool_t *pool)
{
    size_t length = strnlen(text, TEXT_MAX + 1);
    char *local, *at;
    const char *domain;

    *out = NULL;
    if (length > TEXT_MAX)
        return bad_email(param, pool);
    text += strspn(text, white_space);
    local = apr_pstrdup(pool, text);
    length = strlen(local);
    while (length && strchr(white_space, local[length - 1]))
        local[--length] = '\0';
    at = strrchr(local, '@');
    if (!at)
        return bad_email(param, pool);
    *at = '\0';
    for (char *c = local; *c; c++)
        *c = lower(*c);
    domain = idv_host_name_ascii(at + 1, pool);
    if (!domain || !is_local_part(local) || !is_domain(domain)
        || strlen(local) + 1 + strlen(domain) > EMAIL_MAX)
        return bad_email(param, pool);
    *out = apr_pstrcat(pool, local, "@", domain, NULL);
    return NULL;
}

idv_error_t *idv_phone_normalize(const char *text, const char *param,
                                 const char **out, apr_pool_t *pool)
{
    char digits[PHONE_DIGITS_MAX + 1];
    int count = 0;

    *out = NULL;
    text += strspn(text, white_space);
    if (*text++ != '+')
        return idv_error_param(pool, param,
                               "must be in international form with a leading "
                               "`+`, such as `+4930123456`.");
    for (; *text; text++) {
        if (strchr(" \t-./()", *text))
            continue;
        if (!is_digit(*text) || count == PHONE_DIGITS_MAX)
            return idv_error_param(
                pool, param, "must be a phone number, such as `+4930123456`.");
        digits[count++] = *text;
    }
    digits[count] = '\0';
    if (count < PHONE_DIGITS_MIN || digits[0] == '0')
        return idv_error_param(
            pool, param, "must be a phone number, such as `+4930123456`.");
    *out = apr_pstrcat(pool, "+", digits, NULL);
    return NULL;
}

idv_bytes_t idv_identifier_digest(const idv_keyring_t *keyring,
                                  const char *kind, const char *text,
                                  apr_pool_t *pool)
{
    idv_bytes_t key = {keyring->identifier, IDV_KEY_SIZE};
    unsigned char *digest;
    char *labelled;

    if (!text)
        return (idv_bytes_t){0};
    digest = apr_palloc(pool, IDV_DIGEST_SIZE);
    labelled = apr_pstrcat(pool, kind, ":", text, NULL);
    idv_wipe_with_pool(labelled, strlen(labelled), pool);
    idv_hmac_sha256(key, labelled, strlen(labelled), digest);
    return (idv_bytes_t){digest, IDV_DIGEST_SIZE};
}
