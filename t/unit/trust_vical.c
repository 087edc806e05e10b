/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of issuing authorities (ISO/IEC 18013-5, annex C). */
#include "unit/trust_publisher.h"

#include "methods/trust/vical.h"

#define LICENCE "org.iso.18013.5.1.mDL"

/* What a list is made of; what is NULL or 0 is left away. */
typedef struct {
    const char *version, *provider, *date, *next_update;
    apr_int64_t number;
    idv_bytes_t certificates[4];
    const char *types[4][3];
    int has_no_types;
} wish_t;

static wish_t good_wish(apr_pool_t *pool)
{
    return (wish_t){.version = "1.0",
                    .provider = " Test\x01 provider ",
                    .date = "2026-05-30T10:00:00Z",
                    .next_update = "2026-06-02T10:00:00Z",
                    .number = 41,
                    .certificates = {new_authority(pool), new_authority(pool)},
                    .types = {{LICENCE}, {LICENCE, "org.example.fishing"}}};
}

static void put_time(idv_cbor_writer_t *writer, const char *name,
                     const char *time)
{
    if (!time)
        return;
    idv_cbor_put_text(writer, name);
    idv_cbor_put_tag(writer, IDV_CBOR_TAG_DATE_TIME);
    idv_cbor_put_text(writer, time);
}

static void put_entry(idv_cbor_writer_t *writer, const wish_t *wish, int i)
{
    int count = 0;

    while (count < 3 && wish->types[i][count])
        count++;
    idv_cbor_put_map(writer, wish->has_no_types ? 2 : 3);
    idv_cbor_put_text(writer, "certificate");
    idv_cbor_put_bytes(writer, wish->certificates[i]);
    idv_cbor_put_text(writer, "ski");
    idv_cbor_put_bytes(writer, BYTES("key"));
    if (wish->has_no_types)
        return;
    idv_cbor_put_text(writer, "docType");
    idv_cbor_put_array(writer, count);
    for (int at = 0; at < count; at++)
        idv_cbor_put_text(writer, wish->types[i][at]);
}

static idv_bytes_t payload_of(const wish_t *wish, apr_pool_t *pool)
{
    idv_cbor_writer_t writer;
    int count = 0;

    while (count < 4 && wish->certificates[count].length)
        count++;
    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_map(&writer, 3 + !!wish->date + !!wish->next_update
                                  + !!wish->number);
    idv_cbor_put_text(&writer, "version");
    idv_cbor_put_text(&writer, wish->version);
    idv_cbor_put_text(&writer, "vicalProvider");
    idv_cbor_put_text(&writer, wish->provider);
    put_time(&writer, "date", wish->date);
    put_time(&writer, "nextUpdate", wish->next_update);
    if (wish->number) {
        idv_cbor_put_text(&writer, "vicalIssueID");
        idv_cbor_put_integer(&writer, wish->number);
    }
    idv_cbor_put_text(&writer, "certificateInfos");
    idv_cbor_put_array(&writer, count);
    for (int i = 0; i < count; i++)
        put_entry(&writer, wish, i);
    return idv_cbor_written(&writer);
}

#define PROTECTED "\xa1\x01\x26" /* {1: -7}: ES256 */

static idv_bytes_t to_be_signed(idv_bytes_t payload, apr_pool_t *pool)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_array(&writer, 4);
    idv_cbor_put_text(&writer, "Signature1");
    idv_cbor_put_bytes(&writer, BYTES(PROTECTED));
    idv_cbor_put_bytes(&writer, BYTES(""));
    idv_cbor_put_bytes(&writer, payload);
    return idv_cbor_written(&writer);
}

/* PAYLOAD as KEY signs it, with the certificates of CHAIN. */
static idv_bytes_t sign(idv_bytes_t payload, EVP_PKEY *key,
                        const idv_bytes_t chain[2], apr_pool_t *pool)
{
    idv_bytes_t signature =
        sign_raw(key, to_be_signed(payload, pool), pool);
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_array(&writer, 4);
    idv_cbor_put_bytes(&writer, BYTES(PROTECTED));
    idv_cbor_put_map(&writer, 1);
    idv_cbor_put_integer(&writer, 33);
    if (chain[1].length) {
        idv_cbor_put_array(&writer, 2);
        idv_cbor_put_bytes(&writer, chain[0]);
        idv_cbor_put_bytes(&writer, chain[1]);
    } else {
        idv_cbor_put_bytes(&writer, chain[0]);
    }
    idv_cbor_put_bytes(&writer, payload);
    idv_cbor_put_bytes(&writer, signature);
    return idv_cbor_written(&writer);
}

static certificate_t vical_signer(void)
{
    certificate_t wish = good_signer;

    wish.purposes = "critical," IDV_VICAL_SIGNER_PURPOSE;
    return wish;
}

static publisher_t good_publisher(apr_pool_t *pool)
{
    const certificate_t wish = vical_signer();

    return new_publisher(&wish, pool);
}

static idv_bytes_t published(const wish_t *wish, const publisher_t *publisher,
                             apr_pool_t *pool)
{
    const idv_bytes_t chain[2] = {publisher->signer, publisher->root};

    return sign(payload_of(wish, pool), publisher->key, chain, pool);
}

static void a_list_is_read(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const wish_t wish = good_wish(*state);
    idv_bytes_t file = published(&wish, &publisher, *state);
    const idv_trust_certificate_t *item;
    idv_trust_content_t *content;

    accepts(idv_vical_read(file, publisher.knows_root, ISSUER_NOW, &content,
                           *state));
    assert_int_equal(content->kind, IDV_TRUST_VICAL);
    assert_string_equal(content->name, "Test provider");
    assert_int_equal(content->sequence, 41);
    assert_int_equal(content->issued, (idv_time_t)1780135200 * IDV_SECOND);
    assert_int_equal(content->next_update, (idv_time_t)1780394400 * IDV_SECOND);
    assert_int_equal(strlen(content->signer), 64);
    assert_int_equal(content->certificates->nelts, 2);
    item = &APR_ARRAY_IDX(content->certificates, 1, idv_trust_certificate_t);
    assert_int_equal(item->doc_type_count, 2);
    assert_string_equal(item->doc_types[1], "org.example.fishing");
    assert_null(item->doc_types[2]);
    assert_false(item->is_signer);
    assert_memory_equal(item->certificate.data, wish.certificates[1].data,
                        item->certificate.length);
}

static void a_signer_may_be_given_itself(void **state)
{
    /* Without the purpose, which would be demanded under a root. */
    const publisher_t publisher = new_publisher(&good_signer, *state);
    const wish_t wish = good_wish(*state);
    const idv_bytes_t chain[2] = {publisher.signer, {NULL, 0}};
    idv_bytes_t file = sign(payload_of(&wish, *state), publisher.key, chain,
                            *state);
    idv_trust_content_t *content;

    accepts(idv_vical_read(file, publisher.knows_signer, ISSUER_NOW, &content,
                           *state));
    refuses(idv_vical_read(file, publisher.knows_root, ISSUER_NOW, &content,
                           *state),
            "may not sign such lists");
}

static void the_tag_of_a_message_may_be_there(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const wish_t wish = good_wish(*state);
    idv_bytes_t file = published(&wish, &publisher, *state);
    idv_trust_content_t *content;
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, *state);
    idv_cbor_put_tag(&writer, IDV_CBOR_TAG_SIGN1);
    idv_cbor_put_encoded(&writer, file);
    accepts(idv_vical_read(idv_cbor_written(&writer), publisher.knows_root,
                           ISSUER_NOW, &content, *state));
}

static void others_are_not_believed(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const publisher_t other = good_publisher(*state);
    const wish_t wish = good_wish(*state);
    const idv_bytes_t chain[2] = {publisher.signer, publisher.root};
    idv_bytes_t file = published(&wish, &publisher, *state);
    idv_bytes_t forged =
        sign(payload_of(&wish, *state), other.key, chain, *state);
    idv_trust_content_t *content;

    refuses(idv_vical_read(file, other.knows_root, ISSUER_NOW, &content,
                           *state),
            "not signed under a certificate");
    refuses(idv_vical_read(file, other.knows_nobody, ISSUER_NOW, &content,
                           *state),
            "not signed under a certificate");
    refuses(idv_vical_read(forged, publisher.knows_root, ISSUER_NOW, &content,
                           *state),
            "wrong signature");
    refuses(idv_vical_read(file, publisher.knows_root,
                           ISSUER_NOW + 301 * IDV_DAY, &content, *state),
            "not valid at this time");
    refuses(idv_vical_read(file, publisher.knows_root,
                           ISSUER_NOW - 101 * IDV_DAY, &content, *state),
            "not valid at this time");
}

/* Each byte of a list that brings its signer alone is under the signature, or
 * needed for it. */
static void no_byte_can_be_changed(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const idv_bytes_t chain[2] = {publisher.signer, {NULL, 0}};
    const wish_t wish = good_wish(*state);
    idv_bytes_t file =
        sign(payload_of(&wish, *state), publisher.key, chain, *state);
    unsigned char *bytes = (unsigned char *)file.data;
    idv_trust_content_t *content;
    apr_pool_t *pool;

    assert_int_equal(apr_pool_create(&pool, *state), APR_SUCCESS);
    accepts(idv_vical_read(file, publisher.knows_signer, ISSUER_NOW, &content,
                           pool));
    for (apr_size_t at = 0; at < file.length; at += 7) {
        bytes[at] ^= 0x10;
        if (!idv_vical_read(file, publisher.knows_signer, ISSUER_NOW, &content,
                            pool))
            fail_msg("byte %d is of no account", (int)at);
        bytes[at] ^= 0x10;
        apr_pool_clear(pool);
    }
}

static void other_shapes_are_refused(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    idv_trust_content_t *content;
    wish_t wishes[6];
    static const char *const why[6] = {
        "version",      "malformed",       "malformed",
        "unknown form", "of an authority", "not a certificate"};

    for (int i = 0; i < 6; i++)
        wishes[i] = good_wish(*state);
    wishes[0].version = "2.0";
    wishes[1].date = NULL;
    wishes[2].next_update = "2026-06-02 10:00";
    wishes[3].has_no_types = 1;
    wishes[4].certificates[0] = new_signer(*state);
    wishes[4].certificates[1].length = 0;
    wishes[5].certificates[1] = BYTES("0\x03\x02\x01\x01");
    for (int i = 0; i < 6; i++)
        refuses(idv_vical_read(published(&wishes[i], &publisher, *state),
                               publisher.knows_root, ISSUER_NOW, &content,
                               *state),
                why[i]);
}

static void what_is_no_authority_is_passed_over(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    wish_t wish = good_wish(*state);
    idv_trust_content_t *content;

    wish.certificates[2] = new_signer(*state);
    wish.types[2][0] = LICENCE;
    /* A second entry for the first certificate. */
    wish.certificates[3] = wish.certificates[0];
    wish.types[3][0] = "org.example.boats";
    accepts(idv_vical_read(published(&wish, &publisher, *state),
                           publisher.knows_root, ISSUER_NOW, &content,
                           *state));
    assert_int_equal(content->passed_over, 1);
    assert_int_equal(content->certificates->nelts, 2);
    assert_int_equal(
        APR_ARRAY_IDX(content->certificates, 0, idv_trust_certificate_t)
            .doc_type_count,
        2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_list_is_read),
        pooled_test(a_signer_may_be_given_itself),
        pooled_test(the_tag_of_a_message_may_be_there),
        pooled_test(others_are_not_believed),
        pooled_test(no_byte_can_be_changed),
        pooled_test(other_shapes_are_refused),
        pooled_test(what_is_no_authority_is_passed_over),
    };

    return unit_run("trust_vical", tests);
}
