/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/email_otp.h"

#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>
#include <openssl/crypto.h>

#include "core/utf8.h"

#define CODES 1000000 /* 10 to the power of IDV_EMAIL_OTP_DIGITS */
#define HIDDEN "\xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2" /* three bullets */

static void digest_of(const idv_keyring_t *keyring, const char *text,
                      unsigned char *digest)
{
    const idv_bytes_t key = {keyring->secret, IDV_KEY_SIZE};

    idv_hmac_sha256(key, text, strlen(text), digest);
}

const char *idv_email_otp_code(const idv_keyring_t *keyring,
                               const idv_email_otp_t *otp, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    apr_uint64_t number = 0;
    char *code;

    digest_of(keyring,
              apr_pstrcat(pool, "email_otp:", otp->session_id, ":",
                          idv_hex(otp->address_digest.data,
                                  otp->address_digest.length, pool),
                          ":", idv_hex(otp->seed.data, otp->seed.length, pool),
                          NULL),
              digest);
    /* 56 bits: no code is likelier than another by more than 2 to the -36. */
    for (int i = 0; i < 7; i++)
        number = number << 8 | digest[i];
    OPENSSL_cleanse(digest, sizeof(digest));
    code = apr_psprintf(pool, "%0*d", IDV_EMAIL_OTP_DIGITS,
                        (int)(number % CODES));
    idv_wipe_with_pool(code, strlen(code), pool);
    return code;
}

/* TYPED as it is compared: pasted codes come with spaces. */
static const char *without_spaces(const char *typed, apr_pool_t *pool)
{
    char *text = apr_pstrdup(pool, typed), *end = text;

    for (; *typed; typed++)
        if (!apr_isspace(*typed))
            *end++ = *typed;
    *end = '\0';
    return text;
}

int idv_email_otp_matches(const idv_keyring_t *keyring,
                          const idv_email_otp_t *otp, const char *typed,
                          apr_pool_t *pool)
{
    unsigned char expected[IDV_DIGEST_SIZE], given[IDV_DIGEST_SIZE];

    digest_of(keyring,
              apr_pstrcat(pool, "email_otp_code:", otp->session_id, ":",
                          idv_email_otp_code(keyring, otp, pool), NULL),
              expected);
    digest_of(keyring,
              apr_pstrcat(pool, "email_otp_code:", otp->session_id, ":",
                          without_spaces(typed, pool), NULL),
              given);
    return idv_equal_constant_time(expected, given, sizeof(expected));
}

const char *idv_email_masked(const char *address, apr_pool_t *pool)
{
    const char *at = strrchr(address, '@');
    apr_size_t first = 1;

    while ((address[first] & 0xc0) == 0x80)
        first++;
    return apr_pstrcat(pool, apr_pstrmemdup(pool, address, first), HIDDEN,
                       at ? at : "", NULL);
}
