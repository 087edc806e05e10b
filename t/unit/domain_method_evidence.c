/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of evidence: names of what methods bring are unique, since they are
 * keys of the store, and no method has more parts than a request carries.
 */
#include "unit/unit.h"

#include "domain/method/method_evidence.h"

static const char *const names[] = {
#define X(method, name, source, is_needed) name,
    IDV_EVIDENCE_PARTS(X)
#undef X
};
static const idv_evidence_source_t sources[] = {
#define X(method, name, source, is_needed) IDV_EVIDENCE_##source,
    IDV_EVIDENCE_PARTS(X)
#undef X
};

#define COUNT (sizeof(names) / sizeof(*names))

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(sources[i] == IDV_EVIDENCE_BORROWED
                        || strcmp(names[i], names[j]) != 0);
}

/* What a method borrows stands behind the entry of the method that brings it,
 * which is the one that is found. */
static void what_is_borrowed_is_brought_by_another(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        assert_int_not_equal(idv_evidence_part_find(names[i])->source,
                             IDV_EVIDENCE_BORROWED);
}

static void each_part_is_found_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        assert_string_equal(idv_evidence_part_find(names[i])->name, names[i]);
    assert_null(idv_evidence_part_find("left"));
    assert_null(idv_evidence_part_find(""));
}

/* What each method has, put together, is the whole table. */
static void parts_belong_to_one_method(void **state)
{
    const idv_evidence_part_t *parts[IDV_METHOD_PARTS_MAX];
    size_t all = 0;

    (void)state;
    for (int method = 0; method < IDV_METHOD_COUNT; method++) {
        int count = idv_evidence_parts_of(method, parts);

        for (int i = 0; i < count; i++)
            assert_int_equal(parts[i]->method, method);
        all += (size_t)count;
    }
    assert_int_equal(all, COUNT);
}

static void a_document_has_two_sides(void **state)
{
    const idv_evidence_part_t *parts[IDV_METHOD_PARTS_MAX];

    (void)state;
    assert_int_equal(idv_evidence_parts_of(IDV_METHOD_DOCUMENT_CAPTURE, parts),
                     2);
    assert_string_equal(parts[0]->name, "front");
    assert_true(parts[0]->is_needed);
    assert_int_equal(parts[0]->source, IDV_EVIDENCE_IMAGE);
    assert_string_equal(parts[1]->name, "back");
    assert_false(parts[1]->is_needed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(what_is_borrowed_is_brought_by_another),
        cmocka_unit_test(each_part_is_found_by_its_name),
        cmocka_unit_test(parts_belong_to_one_method),
        cmocka_unit_test(a_document_has_two_sides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
