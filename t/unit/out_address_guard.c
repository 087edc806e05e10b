/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include "out/address_guard.h"

static const char *refusal(const char *text, const apr_array_header_t *allowed)
{
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
    } address;

    memset(&address, 0, sizeof(address));
    if (strchr(text, ':')) {
        address.ipv6.sin6_family = AF_INET6;
        if (inet_pton(AF_INET6, text, &address.ipv6.sin6_addr) != 1)
            fail_msg("not an address: %s", text);
    } else {
        address.ipv4.sin_family = AF_INET;
        if (inet_pton(AF_INET, text, &address.ipv4.sin_addr) != 1)
            fail_msg("not an address: %s", text);
    }
    return idv_address_refusal(&address.any, allowed);
}

/* First and last address of each range, and its public neighbours ("" where
 * the neighbour is itself special). */
static const struct {
    const char *before, *first, *last, *after;
} edges[] = {
    {"", "0.0.0.0", "0.255.255.255", "1.0.0.0"},
    {"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
    {"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
    {"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
    {"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
    {"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
    {"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
    {"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
    {"192.31.195.255", "192.31.196.0", "192.31.196.255", "192.31.197.0"},
    {"192.52.192.255", "192.52.193.0", "192.52.193.255", "192.52.194.0"},
    {"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
    {"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
    {"192.175.47.255", "192.175.48.0", "192.175.48.255", "192.175.49.0"},
    {"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
    {"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
    {"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
    {"223.255.255.255", "224.0.0.0", "239.255.255.255", ""},
    {"", "240.0.0.0", "255.255.255.255", ""},
    {"", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"},
    {"", "::1", "::ffff:ffff", ""},
    {"", "::ffff:0.0.0.0", "::ffff:255.255.255.255", ""},
    {"", "::ffff:8.8.8.8", "::8.8.8.8", ""},
    {"", "::ffff:0:0:0", "::ffff:0:255.255.255.255", ""},
    {"", "::ffff:0:8.8.8.8", "::ffff:0:127.0.0.1", ""},
    {"", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "100::", "100::ffff:ffff:ffff:ffff", ""},
    {"", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", ""},
    {"2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::",
     "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"},
    {"", "2001:0:808:808::f7f7:f7f7", "2001:2:0:ffff::", ""},
    {"", "2001:10::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::",
     "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
    {"2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2002::",
     "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"},
    {"2620:4f:7fff:ffff:ffff:ffff:ffff:ffff", "2620:4f:8000::",
     "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "2620:4f:8001::"},
    {"3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::",
     "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"},
    {"", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "ff00::", "ff02::1", ""},
};

static void refuses_each_range_up_to_its_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
        if (!refusal(edges[i].first, NULL) || !refusal(edges[i].last, NULL))
            fail_msg("not refused: %s or %s", edges[i].first, edges[i].last);
        if (*edges[i].before && refusal(edges[i].before, NULL))
            fail_msg("refused: %s", edges[i].before);
        if (*edges[i].after && refusal(edges[i].after, NULL))
            fail_msg("refused: %s", edges[i].after);
    }
}

static void judges_translated_addresses_by_what_they_carry(void **state)
{
    (void)state;
    assert_null(refusal("64:ff9b::8.8.8.8", NULL));
    assert_string_equal(refusal("64:ff9b::127.0.0.1", NULL), "loopback");
    assert_string_equal(refusal("64:ff9b::10.0.0.1", NULL), "private use");
    assert_string_equal(refusal("64:ff9b::255.255.255.255", NULL),
                        "limited broadcast");
}

static apr_array_header_t *ranges(apr_pool_t *pool, const char *const *texts)
{
    apr_array_header_t *array =
        apr_array_make(pool, 4, sizeof(idv_address_range_t));

    for (; *texts; texts++)
        assert_null(idv_address_range_parse(
            *texts, &APR_ARRAY_PUSH(array, idv_address_range_t), pool));
    return array;
}

static void allows_exactly_what_was_configured(void **state)
{
    apr_array_header_t *allowed = ranges(
        *state, (const char *[]){"127.0.0.0/8", "10.1.2.3", "::1", NULL});
    apr_array_header_t *six = ranges(
        *state, (const char *[]){"2002::/16", "2001::/32", NULL});

    assert_null(refusal("127.0.0.1", allowed));
    assert_null(refusal("127.255.255.255", allowed));
    assert_null(refusal("10.1.2.3", allowed));
    assert_null(refusal("::1", allowed));
    assert_null(refusal("64:ff9b::127.0.0.1", allowed));
    assert_non_null(refusal("10.1.2.4", allowed));
    assert_non_null(refusal("::2", allowed));
    assert_non_null(refusal("::ffff:127.0.0.1", allowed));
    assert_non_null(refusal("169.254.169.254", allowed));
    /* An allowed tunnel does not open what it leads to. */
    assert_null(refusal("2002:808:808::1", six));
    assert_string_equal(refusal("2002:7f00:1::1", six), "loopback");
    assert_null(refusal("2001:0:808:808::f7f7:f7f7", six));
    assert_string_equal(refusal("2001:0:808:808::80ff:fffe", six), "loopback");
}

static void judges_hosts_that_no_name_server_knows_better(void **state)
{
    static const char *const refused[] = {
        "127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fe80::1",
        "::ffff:10.0.0.1", "0.0.0.0", "localhost", "LocalHost",
        "shop.localhost",
    };
    static const char *const open[] = {
        "8.8.8.8", "2606:4700::1111", "receiver.example", "localhost.example",
        "notlocalhost", "10.example",
    };
    const apr_array_header_t *loopback =
        ranges(*state, (const char *[]){"127.0.0.0/8", NULL});
    const apr_array_header_t *six =
        ranges(*state, (const char *[]){"::1", NULL});

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        if (!idv_address_host_refusal(refused[i], NULL))
            fail_msg("may be dialled: %s", refused[i]);
    for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
        assert_null(idv_address_host_refusal(open[i], NULL));
    assert_null(idv_address_host_refusal("127.0.0.1", loopback));
    assert_null(idv_address_host_refusal("localhost", loopback));
    assert_null(idv_address_host_refusal("localhost", six));
    assert_string_equal(idv_address_host_refusal("::1", loopback), "loopback");
    assert_non_null(idv_address_host_refusal("::ffff:127.0.0.1", loopback));
}

static void refuses_other_families(void **state)
{
    struct sockaddr_un local = {.sun_family = AF_UNIX};

    (void)state;
    assert_non_null(
        idv_address_refusal((const struct sockaddr *)&local, NULL));
}

static void parses_only_well_formed_ranges(void **state)
{
    static const char *const wrong[] = {
        "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8",
        "10.0.0.0/8 ", " 10.0.0.0/8", "10.0.0.1/8", "10/8", "localhost",
        "::/129", "::1/127", "fe80::1%eth0", "10.0.0.0/0008", "1.2.3.4/8/8",
    };
    idv_address_range_t range;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (!idv_address_range_parse(wrong[i], &range, *state))
            fail_msg("accepted: '%s'", wrong[i]);
    assert_null(idv_address_range_parse("0.0.0.0/0", &range, *state));
    assert_int_equal(range.prefix_length, 0);
    assert_null(idv_address_range_parse("fe80::/10", &range, *state));
    assert_int_equal(range.family, AF_INET6);
    assert_int_equal(range.prefix_length, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(refuses_each_range_up_to_its_edges),
        pooled_test(judges_translated_addresses_by_what_they_carry),
        pooled_test(allows_exactly_what_was_configured),
        pooled_test(judges_hosts_that_no_name_server_knows_better),
        pooled_test(refuses_other_families),
        pooled_test(parses_only_well_formed_ranges),
    };

    return unit_run("out/address_guard", tests);
}
