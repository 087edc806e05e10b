/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/crypto.h"
#include "core/id.h"

static void opens_only_what_was_sealed_for_the_context(void **state)
{
    apr_pool_t *pool = *state;
    unsigned char key[IDV_KEY_SIZE] = {1}, *copy;
    idv_bytes_t plain = {(const unsigned char *)"hello", 5}, sealed, opened;

    assert_null(idv_seal(key, "a:1", plain, &sealed, pool));
    assert_int_equal(sealed.length, 5 + IDV_SEAL_OVERHEAD);
    assert_null(idv_open(key, "a:1", sealed, &opened, pool));
    assert_int_equal(opened.length, 5);
    assert_memory_equal(opened.data, "hello", 5);
    assert_non_null(idv_open(key, "a:2", sealed, &opened, pool));

    copy = (unsigned char *)sealed.data;
    for (apr_size_t i = 0; i < sealed.length; i++) {
        copy[i] ^= 1;
        assert_non_null(idv_open(key, "a:1", sealed, &opened, pool));
        copy[i] ^= 1;
    }
    sealed.length--;
    assert_non_null(idv_open(key, "a:1", sealed, &opened, pool));
    sealed.length = 3;
    assert_non_null(idv_open(key, "a:1", sealed, &opened, pool));
    sealed = (idv_bytes_t){NULL, 0};
    assert_non_null(idv_open(key, "a:1", sealed, &opened, pool));
    plain.length = (apr_size_t)1 << 32; /* would be none in 32 bits */
    assert_non_null(idv_seal(key, "a:1", plain, &sealed, pool));
}

/* RFC 4231, test case 2. */
static void computes_hmac_sha256(void **state)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_bytes_t key = {(const unsigned char *)"Jefe", 4};

    idv_hmac_sha256(key, "what do ya want for nothing?", 28, digest);
    assert_string_equal(
        idv_hex(digest, sizeof(digest), *state),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

static void loads_only_a_private_well_formed_key_file(void **state)
{
    apr_pool_t *pool = *state;
    char path[] = "/tmp/idv_keyring_XXXXXX";
    int file = mkstemp(path);
    idv_keyring_t *ring, *again;

    assert_true(file >= 0);
    for (int i = 0; i < IDV_KEY_SIZE; i++)
        assert_int_equal(write(file, "a5", 2), 2);
    assert_null(idv_keyring_load(path, &ring, pool));
    assert_null(idv_keyring_load(path, &again, pool));
    assert_memory_equal(ring, again, sizeof(*ring));
    assert_memory_not_equal(ring->identifier, ring->wrap, IDV_KEY_SIZE);
    assert_int_equal(chmod(path, 0640), 0);
    assert_non_null(idv_keyring_load(path, &ring, pool));
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(write(file, "\n", 1), 1);
    assert_null(idv_keyring_load(path, &again, pool));
    assert_int_equal(write(file, "\n", 1), 1);
    assert_non_null(idv_keyring_load(path, &again, pool));
    assert_int_equal(ftruncate(file, 63), 0);
    assert_non_null(idv_keyring_load(path, &ring, pool));
    assert_non_null(idv_keyring_load("/tmp", &ring, pool));
    close(file);
    unlink(path);
}

static void ids_are_ordered_by_time_and_recognized(void **state)
{
    apr_pool_t *pool = *state;
    const char *first = idv_id_new(IDV_ID_SESSION, 1700000000000, pool);
    const char *second = idv_id_new(IDV_ID_SESSION, 1700000000001, pool);

    assert_true(strcmp(first, second) < 0);
    assert_true(idv_id_is(IDV_ID_SESSION, first));
    assert_false(idv_id_is(IDV_ID_EVENT, first));
    assert_false(idv_id_is(IDV_ID_SESSION, "vks_"));
    assert_false(idv_id_is(IDV_ID_SESSION, "vks_0123456789abcdefghjkmnpqru"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(opens_only_what_was_sealed_for_the_context),
        pooled_test(computes_hmac_sha256),
        pooled_test(loads_only_a_private_well_formed_key_file),
        pooled_test(ids_are_ordered_by_time_and_recognized),
    };

    return unit_run("core/crypto", tests);
}
