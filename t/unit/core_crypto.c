/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/keyring.h"
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
    assert_memory_equal(ring->versions, again->versions, sizeof(ring->versions));
    assert_memory_not_equal(ring->identifier,
                            ring->versions[0].sealing[IDV_SEALING_DATA_KEY],
                            IDV_KEY_SIZE);
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

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void versions_open_what_they_have_sealed(void **state)
{
    apr_pool_t *pool = *state;
    const idv_seal_place_t place = {IDV_SEALING_SECRET, "a:1"};
    const idv_seal_place_t elsewhere = {IDV_SEALING_RESPONSE, "a:1"};
    idv_bytes_t plain = {(const unsigned char *)"hello", 5}, old, fresh, opened;
    char path[] = "/tmp/idv_keyring_XXXXXX";
    int file = mkstemp(path), version = 0, removed = 0;
    idv_keyring_t *first, *both, *last;

    assert_true(file >= 0);
    close(file);
    write_file(path, "a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5"
                     "a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5");
    assert_null(idv_keyring_load(path, &first, pool));
    assert_null(idv_keyring_seal(first, place, plain, &old, pool));
    assert_int_equal(old.data[0], 1);
    /* As it was sealed before there were versions. */
    assert_null(idv_open(first->versions[0].sealing[IDV_SEALING_SECRET], "a:1",
                         old, &opened, pool));
    assert_null(idv_key_file_add(path, &version, pool));
    assert_int_equal(version, 2);
    assert_null(idv_keyring_load(path, &both, pool));
    assert_int_equal(both->count, 2);
    assert_memory_equal(both->identifier, first->identifier, IDV_KEY_SIZE);
    assert_memory_equal(both->versions, first->versions,
                        sizeof(first->versions[0]));
    assert_memory_not_equal(both->versions[1].sealing[0],
                            both->versions[0].sealing[0], IDV_KEY_SIZE);
    assert_null(idv_keyring_open(both, place, old, &opened, pool));
    idv_keyring_seal_by(both, 2);
    assert_null(idv_keyring_seal(both, place, plain, &fresh, pool));
    assert_int_equal(fresh.data[0], 2);
    assert_null(idv_keyring_open(both, place, fresh, &opened, pool));
    assert_memory_equal(opened.data, "hello", 5);
    assert_non_null(idv_keyring_open(both, elsewhere, fresh, &opened, pool));
    assert_non_null(idv_keyring_open(first, place, fresh, &opened, pool));
    ((unsigned char *)fresh.data)[0] = 1;
    assert_non_null(idv_keyring_open(both, place, fresh, &opened, pool));
    ((unsigned char *)fresh.data)[0] = 2;

    assert_null(idv_key_file_remove(path, 3, &removed, pool));
    assert_false(removed);
    assert_null(idv_key_file_remove(path, 1, &removed, pool));
    assert_true(removed);
    assert_null(idv_keyring_load(path, &last, pool));
    assert_int_equal(last->count, 1);
    assert_memory_equal(last->identifier, first->identifier, IDV_KEY_SIZE);
    assert_memory_equal(last->document, first->document, IDV_KEY_SIZE);
    assert_memory_equal(last->secret, first->secret, IDV_KEY_SIZE);
    assert_memory_equal(last->versions, both->versions + 1,
                        sizeof(last->versions[0]));
    assert_null(idv_keyring_open(last, place, fresh, &opened, pool));
    assert_non_null(idv_keyring_open(last, place, old, &opened, pool));
    assert_non_null(idv_key_file_remove(path, 2, &removed, pool));
    unlink(path);
}

static void refuses_key_files_that_are_not_whole(void **state)
{
#define KEY                                                                    \
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    static const char *const taken[] = {
        "# a comment\n\n1 " KEY "\n2 " KEY "\n", "1 " KEY,
        "digests " KEY KEY KEY "\n2 " KEY "\n255 " KEY "\n",
    };
    static const char *const refused[] = {
        "", "\n", "# nothing\n", "# a\n# b c\n", "2 " KEY "\n",
        "digests " KEY KEY KEY "\n", "digests " KEY "\n2 " KEY "\n",
        "digests " KEY KEY KEY "\ndigests " KEY KEY KEY "\n2 " KEY "\n",
        "2 " KEY "\n1 " KEY "\n", "1 " KEY "\n1 " KEY "\n", "0 " KEY "\n",
        "1 " KEY "\n256 " KEY "\n", "1 " KEY "\n2  " KEY "\n",
        "1 " KEY "0\n", "1 " KEY "\nx " KEY "\n", "1\n" KEY "\n",
        "1 " KEY "\n2\n", "1 " KEY "\n-2 " KEY "\n", KEY " " KEY,
        "1 " KEY "\n2 " KEY "\n3 " KEY "\n4 " KEY "\n5 " KEY "\n6 " KEY
        "\n7 " KEY "\n8 " KEY "\n9 " KEY "\n",
    };
#undef KEY
    char path[] = "/tmp/idv_keyring_XXXXXX";
    int file = mkstemp(path);
    idv_keyring_t *ring;

    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
        write_file(path, taken[i]);
        assert_null(idv_keyring_load(path, &ring, *state));
    }
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        idv_error_t *error;

        write_file(path, refused[i]);
        error = idv_keyring_load(path, &ring, *state);
        assert_non_null(error);
        assert_null(strstr(error->detail, "0123456789"));
    }
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
        pooled_test(versions_open_what_they_have_sealed),
        pooled_test(refuses_key_files_that_are_not_whole),
        pooled_test(ids_are_ordered_by_time_and_recognized),
    };

    return unit_run("core/crypto", tests);
}
