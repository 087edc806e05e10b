/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/chip_access.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>

#include "methods/passport/tlv.h"

#define NONCE_SIZE 8
#define POINT_MAX 133 /* of P-521, uncompressed */
#define SEED_SIZE 16  /* of the keys of basic access control */

static void must(int succeeded)
{
    if (!succeeded)
        abort();
}

/* --- the password --- */

static int value_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 0;
}

/* The check digit of ICAO Doc 9303-3, 4.9. */
static char check_digit(const char *text)
{
    static const int weights[] = {7, 3, 1};
    int sum = 0;

    for (int i = 0; text[i]; i++)
        sum += value_of(text[i]) * weights[i % 3];
    return (char)('0' + sum % 10);
}

static const char *without_fillers(const char *text, size_t length,
                                   apr_pool_t *pool)
{
    while (length > 0 && text[length - 1] == '<')
        length--;
    return apr_pstrmemdup(pool, text, length);
}

/* A number of more than nine characters continues in the optional data of TD1,
 * where its check digit ends it (9303-5, 4.2.2.1). */
static const char *number_of_td1(const char *zone, apr_pool_t *pool)
{
    size_t more = strcspn(zone + 15, "<");

    if (zone[14] != '<' || more < 2 || more > 14)
        return without_fillers(zone + 5, 9, pool);
    return apr_pstrcat(pool, apr_pstrmemdup(pool, zone + 5, 9),
                       apr_pstrmemdup(pool, zone + 15, more - 1), NULL);
}

idv_error_t *idv_chip_password_of_zone(const char *text,
                                       idv_chip_password_t *password,
                                       apr_pool_t *pool)
{
    char *zone = apr_pstrdup(pool, text), *to = zone;
    size_t row, birth, expiry;

    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            *to++ = *text;
    *to = '\0';
    memset(password, 0, sizeof(*password));
    row = strlen(zone) == 88 ? 44 : 36;
    if (strlen(zone) == 90) {
        password->number = number_of_td1(zone, pool);
        birth = 30;
        expiry = 38;
    } else if (strlen(zone) == 2 * row) {
        password->number = without_fillers(zone + row, 9, pool);
        birth = row + 13;
        expiry = row + 21;
    } else {
        return idv_error_internal(pool, "the zone must have two rows of 44 or "
                                        "36 characters, or three rows of 30");
    }
    password->birth = apr_pstrmemdup(pool, zone + birth, 6);
    password->expiry = apr_pstrmemdup(pool, zone + expiry, 6);
    return NULL;
}

static const char *with_digit(const char *text, apr_pool_t *pool)
{
    return apr_psprintf(pool, "%s%c", text, check_digit(text));
}

/* SHA-1 of the zone's numbers with their check digits (9303-11, 4.3.2). */
static void hash_zone(const idv_chip_password_t *password,
                      unsigned char hash[EVP_MAX_MD_SIZE], apr_pool_t *pool)
{
    const char *number = apr_psprintf(
        pool, "%s%.*s", password->number,
        (int)(strlen(password->number) < 9 ? 9 - strlen(password->number) : 0),
        "<<<<<<<<<");
    const char *text = apr_pstrcat(pool, with_digit(number, pool),
                                   with_digit(password->birth, pool),
                                   with_digit(password->expiry, pool), NULL);

    must(EVP_Digest(text, strlen(text), hash, NULL, EVP_sha1(), NULL) == 1);
}

/* --- commands --- */

static idv_chip_apdu_t command(const char *header, idv_bytes_t data,
                               int expected)
{
    idv_chip_apdu_t apdu = {.data = data, .expected = expected};

    memcpy(apdu.header, header, 4);
    return apdu;
}

static idv_error_t *select_application(idv_chip_link_t *link, int *status,
                                       apr_pool_t *pool)
{
    const idv_chip_apdu_t apdu = command(
        "\x00\xA4\x04\x0C", IDV_TLV_BYTES("\xA0\x00\x00\x02\x47\x10\x01"), 0);
    idv_bytes_t data;

    return idv_chip_link_send(link, &apdu, &data, status, pool);
}

/* --- basic access control (4.3) --- */

static idv_error_t *refused(const char *what, int status, apr_pool_t *pool)
{
    return idv_error_internal(
        pool, "the document refuses %s (%04X). Check that the zone is the "
              "document's",
        what, (unsigned)status);
}

/* The chip's response to our half of the secret. */
static idv_error_t *authenticate_mutually(idv_chip_link_t *link,
                                          const idv_secure_channel_t *keys,
                                          const unsigned char *plain,
                                          unsigned char *answer,
                                          apr_pool_t *pool)
{
    unsigned char sealed[40], mac[IDV_SECURE_CHANNEL_MAC_SIZE];
    idv_chip_apdu_t apdu =
        command("\x00\x82\x00\x00", (idv_bytes_t){sealed, sizeof(sealed)}, 40);
    idv_bytes_t data;
    int status;

    memcpy(sealed, plain, 32);
    idv_chip_crypt(keys->cipher, keys->encryption_key, 1, sealed, 32);
    idv_chip_authenticate(keys->cipher, keys->mac_key,
                          (idv_bytes_t){sealed, 32}, sealed + 32, pool);
    IDV_TRY(idv_chip_link_send(link, &apdu, &data, &status, pool));
    if (status != IDV_CHIP_GOOD || data.length != 40)
        return refused("basic access control", status, pool);
    idv_chip_authenticate(keys->cipher, keys->mac_key,
                          (idv_bytes_t){data.data, 32}, mac, pool);
    if (!idv_equal_constant_time(mac, data.data + 32, sizeof(mac)))
        return refused("basic access control", status, pool);
    memcpy(answer, data.data, 32);
    idv_chip_crypt(keys->cipher, keys->encryption_key, 0, answer, 32);
    return NULL;
}

/* PLAIN is ours: nonce, the chip's nonce, key. ANSWER is the chip's: nonce, our
 * nonce, key. */
static void open_basic_channel(idv_chip_link_t *link,
                               const unsigned char *plain,
                               const unsigned char *answer)
{
    unsigned char secret[SEED_SIZE];
    idv_secure_channel_t channel;

    for (int i = 0; i < SEED_SIZE; i++)
        secret[i] = plain[16 + i] ^ answer[16 + i];
    idv_secure_channel_open(&channel, IDV_CHIP_CIPHER_3DES,
                            (idv_bytes_t){secret, sizeof(secret)});
    memcpy(channel.counter, answer + 4, 4);
    memcpy(channel.counter + 4, plain + 4, 4);
    idv_chip_link_secure(link, &channel);
    idv_secure_channel_wipe(&channel);
    OPENSSL_cleanse(secret, sizeof(secret));
}

static idv_error_t *access_basic(idv_chip_link_t *link,
                                 const unsigned char *hash, apr_pool_t *pool)
{
    const idv_chip_apdu_t ask =
        command("\x00\x84\x00\x00", (idv_bytes_t){NULL, 0}, NONCE_SIZE);
    unsigned char plain[32], answer[32];
    idv_secure_channel_t keys;
    idv_error_t *error;
    idv_bytes_t nonce;
    int status;

    IDV_TRY(select_application(link, &status, pool));
    if (status != IDV_CHIP_GOOD)
        return idv_error_internal(pool, "the document is not a passport (%04X)",
                                  (unsigned)status);
    IDV_TRY(idv_chip_link_send(link, &ask, &nonce, &status, pool));
    if (status != IDV_CHIP_GOOD || nonce.length != NONCE_SIZE)
        return refused("a challenge", status, pool);
    idv_random_bytes(plain, sizeof(plain));
    memcpy(plain + NONCE_SIZE, nonce.data, NONCE_SIZE);
    idv_secure_channel_open(&keys, IDV_CHIP_CIPHER_3DES,
                            (idv_bytes_t){hash, SEED_SIZE});
    error = authenticate_mutually(link, &keys, plain, answer, pool);
    if (!error
        && (memcmp(answer, nonce.data, NONCE_SIZE) != 0
            || memcmp(answer + NONCE_SIZE, plain, NONCE_SIZE) != 0))
        error = refused("basic access control", status, pool);
    if (!error)
        open_basic_channel(link, plain, answer);
    idv_secure_channel_wipe(&keys);
    OPENSSL_cleanse(plain, sizeof(plain));
    OPENSSL_cleanse(answer, sizeof(answer));
    return error;
}

/* --- PACE (4.4) --- */

/* One variant of PACE that the chip offers. */
typedef struct {
    idv_bytes_t protocol; /* content bytes of its identifier */
    idv_chip_cipher_t cipher;
    EC_GROUP *curve;
} pace_t;

/* Standardized domain parameters (9.5.1). */
static int curve_of(int number)
{
    static const int curves[] = {
        NID_X9_62_prime192v1, NID_brainpoolP192r1,  NID_secp224r1,
        NID_brainpoolP224r1,  NID_X9_62_prime256v1, NID_brainpoolP256r1,
        NID_brainpoolP320r1,  NID_secp384r1,        NID_brainpoolP384r1,
        NID_brainpoolP512r1,  NID_secp521r1};
    int index = number - 8;

    return index >= 0 && index < (int)(sizeof(curves) / sizeof(*curves))
             ? curves[index]
             : NID_undef;
}

static apr_status_t free_curve(void *curve)
{
    EC_GROUP_free(curve);
    return APR_SUCCESS;
}

/* id-PACE-ECDH-GM-AES-CBC-CMAC-128, -192 and -256: 0.4.0.127.0.7.2.2.4.2.2 to
 * .4. Zero for any other INFO. */
static int read_info(idv_tlv_reader_t info, pace_t *pace, apr_pool_t *pool)
{
    static const idv_bytes_t generic =
        IDV_TLV_BYTES("\x04\x00\x7f\x00\x07\x02\x02\x04\x02");
    idv_tlv_t protocol = idv_tlv_expect(&info, IDV_TLV_OBJECT);
    int last, curve = NID_undef;

    if (protocol.content.length != generic.length + 1
        || memcmp(protocol.content.data, generic.data, generic.length) != 0)
        return 0;
    last = protocol.content.data[generic.length];
    idv_tlv_read_integer(&info); /* version 2 */
    if (idv_tlv_has_more(&info))
        curve = curve_of(idv_tlv_read_integer(&info));
    if (last < IDV_CHIP_CIPHER_AES_128 || last > IDV_CHIP_CIPHER_AES_256
        || curve == NID_undef)
        return 0;
    *pace = (pace_t){protocol.content, last, EC_GROUP_new_by_curve_name(curve)};
    if (!pace->curve)
        return 0;
    apr_pool_cleanup_register(pool, pace->curve, free_curve,
                              apr_pool_cleanup_null);
    return 1;
}

/* The first variant in EF.CardAccess that is supported here; zero if there is
 * none. */
static idv_error_t *find_way(idv_chip_link_t *link, pace_t *pace, int *found,
                             apr_pool_t *pool)
{
    const idv_chip_apdu_t choose =
        command("\x00\xA4\x02\x0C", IDV_TLV_BYTES("\x01\x1C"), 0);
    const idv_chip_apdu_t read =
        command("\x00\xB0\x00\x00", (idv_bytes_t){NULL, 0}, 256);
    idv_tlv_reader_t file, set;
    int status, fault = 0;
    idv_bytes_t data;

    *found = 0;
    IDV_TRY(idv_chip_link_send(link, &choose, &data, &status, pool));
    if (status != IDV_CHIP_GOOD)
        return NULL;
    IDV_TRY(idv_chip_link_send(link, &read, &data, &status, pool));
    file = idv_tlv_open(data, &fault);
    set = idv_tlv_enter(&file, IDV_TLV_SET);
    while (!*found && idv_tlv_has_more(&set))
        *found = read_info(idv_tlv_enter(&set, IDV_TLV_SEQUENCE), pace, pool);
    return NULL;
}

static idv_bytes_t element(int tag, idv_bytes_t content, apr_pool_t *pool)
{
    unsigned char *bytes = apr_palloc(pool, content.length + 3);
    apr_size_t at = 0;

    must(content.length < 256);
    bytes[at++] = (unsigned char)tag;
    if (content.length > 0x7f)
        bytes[at++] = 0x81;
    bytes[at++] = (unsigned char)content.length;
    if (content.length > 0)
        memcpy(bytes + at, content.data, content.length);
    return (idv_bytes_t){bytes, at + content.length};
}

/* One GENERAL AUTHENTICATE: sends SENT under TAG (0: nothing), and returns the
 * content of the next tag. */
static idv_error_t *general_authenticate(idv_chip_link_t *link, int tag,
                                         idv_bytes_t sent,
                                         idv_bytes_t *received,
                                         apr_pool_t *pool)
{
    const idv_bytes_t nothing = {NULL, 0};
    idv_bytes_t inner = tag ? element(tag, sent, pool) : nothing, data;
    const idv_chip_apdu_t apdu =
        command(tag == 0x85 ? "\x00\x86\x00\x00" : "\x10\x86\x00\x00",
                element(0x7C, inner, pool), 256);
    idv_tlv_reader_t outer, reader;
    int status, fault = 0;

    IDV_TRY(idv_chip_link_send(link, &apdu, &data, &status, pool));
    if (status != IDV_CHIP_GOOD)
        return refused("PACE", status, pool);
    outer = idv_tlv_open(data, &fault);
    reader = idv_tlv_enter(&outer, 0x7C);
    *received =
        idv_tlv_expect(&reader, (apr_uint32_t)(tag ? tag + 1 : 0x80)).content;
    return fault ? refused("PACE", status, pool) : NULL;
}

/* A private key, and POINT multiplied by it, encoded for sending. */
static BIGNUM *make_key(const EC_GROUP *curve, const EC_POINT *point,
                        idv_bytes_t *ours, apr_pool_t *pool)
{
    EC_POINT *product = EC_POINT_new(curve);
    BIGNUM *key = BN_new();
    unsigned char *encoded = apr_palloc(pool, POINT_MAX);

    must(product != NULL && key != NULL);
    do
        must(BN_priv_rand_range(key, EC_GROUP_get0_order(curve)) == 1);
    while (BN_is_zero(key));
    must(EC_POINT_mul(curve, product, NULL, point, key, NULL) == 1);
    ours->data = encoded;
    ours->length =
        EC_POINT_point2oct(curve, product, POINT_CONVERSION_UNCOMPRESSED,
                           encoded, POINT_MAX, NULL);
    must(ours->length > 0);
    EC_POINT_free(product);
    return key;
}

/* KEY times the point THEIRS; NULL if that is not on the curve. */
static EC_POINT *agree(const EC_GROUP *curve, const BIGNUM *key,
                       idv_bytes_t theirs)
{
    EC_POINT *point = EC_POINT_new(curve);

    must(point != NULL);
    if (EC_POINT_oct2point(curve, point, theirs.data, theirs.length, NULL) == 1
        && EC_POINT_is_on_curve(curve, point, NULL) == 1
        && EC_POINT_mul(curve, point, NULL, point, key, NULL) == 1
        && !EC_POINT_is_at_infinity(curve, point))
        return point;
    EC_POINT_free(point);
    return NULL;
}

/* The generator made from the nonce and an agreement: nonce * G + H. */
static idv_error_t *map_generator(idv_chip_link_t *link, const pace_t *pace,
                                  idv_bytes_t nonce, EC_POINT **generator,
                                  apr_pool_t *pool)
{
    const EC_GROUP *curve = pace->curve;
    BIGNUM *number = BN_bin2bn(nonce.data, (int)nonce.length, NULL);
    idv_bytes_t ours, theirs = {NULL, 0};
    BIGNUM *key = make_key(curve, EC_GROUP_get0_generator(curve), &ours, pool);
    idv_error_t *error = general_authenticate(link, 0x81, ours, &theirs, pool);
    EC_POINT *shared = error ? NULL : agree(curve, key, theirs);

    must(number != NULL);
    *generator = EC_POINT_new(curve);
    must(*generator != NULL);
    if (!error && !shared)
        error = refused("PACE", 0, pool);
    if (!error)
        must(EC_POINT_mul(curve, *generator, number, NULL, NULL, NULL) == 1
             && EC_POINT_add(curve, *generator, *generator, shared, NULL) == 1);
    EC_POINT_clear_free(shared);
    BN_clear_free(key);
    BN_clear_free(number);
    return error;
}

/* The token of a public key (4.4.3.4): MAC over 7F49 { 06, 86 }. */
static void make_token(const pace_t *pace, const idv_secure_channel_t *channel,
                       idv_bytes_t point, unsigned char *token,
                       apr_pool_t *pool)
{
    idv_bytes_t protocol = element(0x06, pace->protocol, pool);
    idv_bytes_t key = element(0x86, point, pool), inner, whole;
    unsigned char *text = apr_palloc(pool, protocol.length + key.length);
    unsigned char *tagged;

    memcpy(text, protocol.data, protocol.length);
    memcpy(text + protocol.length, key.data, key.length);
    inner =
        element(0x49, (idv_bytes_t){text, protocol.length + key.length}, pool);
    tagged = apr_palloc(pool, inner.length + 1);
    tagged[0] = 0x7F;
    memcpy(tagged + 1, inner.data, inner.length);
    whole = (idv_bytes_t){tagged, inner.length + 1};
    idv_chip_authenticate(channel->cipher, channel->mac_key, whole, token,
                          pool);
}

static idv_error_t *exchange_tokens(idv_chip_link_t *link, const pace_t *pace,
                                    const idv_secure_channel_t *channel,
                                    const idv_bytes_t points[2],
                                    apr_pool_t *pool)
{
    unsigned char token[IDV_SECURE_CHANNEL_MAC_SIZE];
    idv_bytes_t received;

    make_token(pace, channel, points[1], token, pool);
    IDV_TRY(general_authenticate(
        link, 0x85, (idv_bytes_t){token, sizeof(token)}, &received, pool));
    make_token(pace, channel, points[0], token, pool);
    return received.length == sizeof(token)
                && idv_equal_constant_time(token, received.data, sizeof(token))
             ? NULL
             : refused("PACE", 0, pool);
}

/* Agrees on keys with the mapped generator, and opens the channel. */
static idv_error_t *agree_on_keys(idv_chip_link_t *link, const pace_t *pace,
                                  const EC_POINT *generator, apr_pool_t *pool)
{
    int size = (EC_GROUP_get_degree(pace->curve) + 7) / 8;
    unsigned char secret[POINT_MAX];
    idv_bytes_t points[2] = {{NULL, 0}, {NULL, 0}}; /* ours, the chip's */
    BIGNUM *key = make_key(pace->curve, generator, &points[0], pool);
    BIGNUM *x = BN_new();
    idv_secure_channel_t channel;
    idv_error_t *error =
        general_authenticate(link, 0x83, points[0], &points[1], pool);
    EC_POINT *shared = error ? NULL : agree(pace->curve, key, points[1]);

    must(x != NULL);
    if (!error && (!shared || idv_bytes_equal(points[0], points[1])))
        error = refused("PACE", 0, pool);
    if (!error) {
        must(EC_POINT_get_affine_coordinates(pace->curve, shared, x, NULL, NULL)
                 == 1
             && BN_bn2binpad(x, secret, size) == size);
        idv_secure_channel_open(&channel, pace->cipher,
                                (idv_bytes_t){secret, (apr_size_t)size});
        error = exchange_tokens(link, pace, &channel, points, pool);
        if (!error)
            idv_chip_link_secure(link, &channel);
        idv_secure_channel_wipe(&channel);
        OPENSSL_cleanse(secret, sizeof(secret));
    }
    EC_POINT_clear_free(shared);
    BN_clear_free(key);
    BN_clear_free(x);
    return error;
}

/* PASSWORD: its bytes. KIND: 1 for the zone, 2 for an access number. */
static idv_error_t *access_pace(idv_chip_link_t *link, const pace_t *pace,
                                idv_bytes_t password, int kind,
                                apr_pool_t *pool)
{
    unsigned char key[IDV_SECURE_CHANNEL_KEY_MAX], nonce[32], reference[2];
    idv_bytes_t protocol = element(0x80, pace->protocol, pool), sealed;
    unsigned char choice[64];
    idv_chip_apdu_t choose;
    EC_POINT *generator = NULL;
    idv_error_t *error;
    int status;

    reference[0] = 1;
    reference[1] = (unsigned char)kind;
    memcpy(choice, protocol.data, protocol.length);
    choice[protocol.length] = 0x83;
    memcpy(choice + protocol.length + 1, reference, 2);
    choose = command("\x00\x22\xC1\xA4",
                     (idv_bytes_t){choice, protocol.length + 3}, 0);
    IDV_TRY(idv_chip_link_send(link, &choose, &sealed, &status, pool));
    if (status != IDV_CHIP_GOOD)
        return refused("PACE", status, pool);
    IDV_TRY(
        general_authenticate(link, 0, (idv_bytes_t){NULL, 0}, &sealed, pool));
    if (sealed.length == 0 || sealed.length % 16 != 0
        || sealed.length > sizeof(nonce))
        return refused("PACE", status, pool);
    idv_chip_key_derive(pace->cipher, password, 3, key);
    memcpy(nonce, sealed.data, sealed.length);
    idv_chip_crypt(pace->cipher, key, 0, nonce, sealed.length);
    error = map_generator(link, pace, (idv_bytes_t){nonce, sealed.length},
                          &generator, pool);
    if (!error)
        error = agree_on_keys(link, pace, generator, pool);
    EC_POINT_clear_free(generator);
    OPENSSL_cleanse(key, sizeof(key));
    OPENSSL_cleanse(nonce, sizeof(nonce));
    return error;
}

/* --- either of them --- */

static idv_error_t *open_application(idv_chip_link_t *link, apr_pool_t *pool)
{
    int status;

    IDV_TRY(select_application(link, &status, pool));
    return status == IDV_CHIP_GOOD
             ? NULL
             : idv_error_internal(pool, "the document is not a passport (%04X)",
                                  (unsigned)status);
}

idv_error_t *idv_chip_access(idv_chip_link_t *link,
                             const idv_chip_password_t *password,
                             const char **how, apr_pool_t *pool)
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    idv_error_t *error;
    idv_bytes_t text;
    pace_t pace;
    int found;

    IDV_TRY(find_way(link, &pace, &found, pool));
    *how = found ? "pace" : "bac";
    if (password->access_number) {
        text = (idv_bytes_t){(const unsigned char *)password->access_number,
                             strlen(password->access_number)};
        if (!found)
            return idv_error_internal(
                pool, "the document has no access number. Pass its zone");
        IDV_TRY(access_pace(link, &pace, text, 2, pool));
        return open_application(link, pool);
    }
    hash_zone(password, hash, pool);
    error = found ? access_pace(link, &pace, (idv_bytes_t){hash, 20}, 1, pool)
                  : access_basic(link, hash, pool);
    OPENSSL_cleanse(hash, sizeof(hash));
    if (error)
        return error;
    return found ? open_application(link, pool) : NULL;
}
