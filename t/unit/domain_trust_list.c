/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of trusted certificates: kinds, what changes, what is older. */
#include "unit/unit.h"

#include "domain/trust/trust_list.h"

static idv_trust_certificate_t certificate(const char *bytes, int is_signer,
                                           const char *const *types)
{
    idv_trust_certificate_t item = {
        .certificate = {(const unsigned char *)bytes, strlen(bytes)},
        .is_signer = is_signer,
        .doc_types = types};

    while (types && types[item.doc_type_count])
        item.doc_type_count++;
    return item;
}

static apr_array_header_t *list_of(const idv_trust_certificate_t *items,
                                   int count, apr_pool_t *pool)
{
    apr_array_header_t *list = apr_array_make(pool, 4, sizeof(*items));

    for (int i = 0; i < count; i++)
        APR_ARRAY_PUSH(list, idv_trust_certificate_t) = items[i];
    return list;
}

static void kinds_have_values_and_purposes(void **state)
{
    (void)state;
    for (int kind = 0; kind < IDV_TRUST_KIND_COUNT; kind++)
        assert_int_equal(
            idv_trust_kind_parse(idv_trust_kind_value((idv_trust_kind_t)kind)),
            kind);
    assert_true(idv_trust_kind_is_plain(IDV_TRUST_SANDBOX_SIGNER));
    assert_false(idv_trust_kind_is_plain(IDV_TRUST_VICAL));
    assert_int_equal(idv_trust_kind_parse("IACA"), -1);
    assert_int_equal(idv_trust_kind_parse(""), -1);
    assert_int_equal(idv_trust_kind_purpose(IDV_TRUST_ETSI),
                     IDV_TRUST_FOR_WALLETS);
    assert_int_equal(idv_trust_kind_purpose(IDV_TRUST_CSCA_MASTER_LIST),
                     IDV_TRUST_FOR_PASSPORTS);
}

static void changes_are_told_apart(void **state)
{
    static const char *const licence[] = {"org.iso.18013.5.1.mDL", NULL};
    static const char *const age[] = {"eu.europa.ec.av.1", NULL};
    const idv_trust_certificate_t before[] = {
        certificate("kept", 0, licence), certificate("gone", 0, NULL),
        certificate("widened", 0, licence), certificate("signer", 0, NULL)};
    const idv_trust_certificate_t after[] = {
        certificate("signer", 1, NULL), certificate("new", 0, age),
        certificate("widened", 0, NULL), certificate("kept", 0, licence)};
    static const struct {
        idv_trust_change_kind_t kind;
        const char *bytes;
    } expected[] = {{IDV_TRUST_CHANGED, "signer"},
                    {IDV_TRUST_ADDED, "new"},
                    {IDV_TRUST_CHANGED, "widened"},
                    {IDV_TRUST_REMOVED, "gone"}};
    idv_trust_difference_t difference;

    idv_trust_compare(list_of(before, 4, *state), list_of(after, 4, *state),
                      &difference, *state);
    assert_int_equal(difference.kept, 1);
    assert_int_equal(difference.changes->nelts, 4);
    for (int i = 0; i < 4; i++) {
        const idv_trust_change_t *change =
            &APR_ARRAY_IDX(difference.changes, i, idv_trust_change_t);

        assert_int_equal(change->kind, expected[i].kind);
        assert_memory_equal(change->certificate->certificate.data,
                            expected[i].bytes,
                            change->certificate->certificate.length);
    }
}

static void the_same_and_nothing_change_nothing(void **state)
{
    const idv_trust_certificate_t item = certificate("one", 0, NULL);
    apr_array_header_t *one = list_of(&item, 1, *state);
    apr_array_header_t *none = list_of(NULL, 0, *state);
    idv_trust_difference_t difference;

    idv_trust_compare(one, one, &difference, *state);
    assert_int_equal(difference.changes->nelts, 0);
    assert_int_equal(difference.kept, 1);
    idv_trust_compare(none, none, &difference, *state);
    assert_int_equal(difference.changes->nelts, 0);
    idv_trust_compare(none, one, &difference, *state);
    assert_int_equal(difference.changes->nelts, 1);
}

static void numbers_decide_before_times(void **state)
{
    (void)state;
    assert_true(idv_trust_is_older(4, 200, 5, 100));
    assert_false(idv_trust_is_older(6, 50, 5, 100));
    assert_true(idv_trust_is_older(5, 50, 5, 100));
    assert_false(idv_trust_is_older(5, 100, 5, 100));
    assert_true(idv_trust_is_older(0, 50, 5, 100));
    assert_false(idv_trust_is_older(0, 0, 5, 100));
    assert_false(idv_trust_is_older(1, 1, 0, 0));
}

static void a_source_names_its_version(void **state)
{
    idv_trust_version_t version = {.kind = IDV_TRUST_VICAL,
                                   .name = "AAMVA",
                                   .version_id = "tlv_1",
                                   .sequence = 41};
    char name[4 * IDV_TRUST_NAME_MAX + 1];
    const char *source;

    assert_string_equal(idv_trust_source(&version, *state),
                        "vical AAMVA tlv_1 #41");
    version.sequence = 0;
    assert_string_equal(idv_trust_source(&version, *state),
                        "vical AAMVA tlv_1");
    for (int i = 0; i < IDV_TRUST_NAME_MAX; i++)
        memcpy(name + 4 * (size_t)i, "\xf0\x9f\x98\x80", 4);
    name[sizeof(name) - 1] = '\0';
    version = (idv_trust_version_t){
        .kind = IDV_TRUST_CSCA_MASTER_LIST,
        .name = name,
        .version_id = "tlv_0123456789abcdefghijklmnop",
        .sequence = INT64_MAX};
    source = idv_trust_source(&version, *state);
    assert_true(strlen(source) <= IDV_TRUST_SOURCE_MAX);
    /* No character is cut in two. */
    assert_non_null(strstr(source, "\xf0\x9f\x98\x80 tlv_"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(kinds_have_values_and_purposes),
        pooled_test(changes_are_told_apart),
        pooled_test(the_same_and_nothing_change_nothing),
        pooled_test(numbers_decide_before_times),
        pooled_test(a_source_names_its_version),
    };

    return unit_run("domain_trust_list", tests);
}
