/* SPDX-License-Identifier: Apache-2.0 */
#include "core/ip_address.h"

#include <string.h>

#include <apr_strings.h>
#include <arpa/inet.h>

#define SUBSCRIBER_BYTES 8 /* of IPv6, the network of a subscriber: a /64 */
#define MAPPED_OFFSET 12   /* where a mapped address carries that of IPv4 */

int idv_address_parse(const char *text, struct sockaddr_storage *address)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    struct in6_addr six;

    memset(address, 0, sizeof(*address));
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        address->ss_family = AF_INET;
        return 1;
    }
    if (inet_pton(AF_INET6, text, &six) != 1)
        return 0;
    if (IN6_IS_ADDR_V4MAPPED(&six)) {
        memcpy(&v4->sin_addr, six.s6_addr + MAPPED_OFFSET,
               sizeof(v4->sin_addr));
        address->ss_family = AF_INET;
        return 1;
    }
    v6->sin6_addr = six;
    address->ss_family = AF_INET6;
    return 1;
}

static const char *format(int family, const void *bytes, apr_pool_t *pool)
{
    char *text = apr_palloc(pool, INET6_ADDRSTRLEN);

    return inet_ntop(family, bytes, text, INET6_ADDRSTRLEN);
}

const char *idv_address_counted(const struct sockaddr_storage *address,
                                apr_pool_t *pool)
{
    const struct sockaddr_in *v4 = (const void *)address;
    const struct sockaddr_in6 *v6 = (const void *)address;
    struct in6_addr network;

    if (address->ss_family == AF_INET)
        return format(AF_INET, &v4->sin_addr, pool);
    if (address->ss_family != AF_INET6)
        return NULL;
    network = v6->sin6_addr;
    memset(network.s6_addr + SUBSCRIBER_BYTES, 0,
           sizeof(network) - SUBSCRIBER_BYTES);
    return format(AF_INET6, &network, pool);
}

const char *idv_address_client(const char *ip, apr_pool_t *pool)
{
    struct sockaddr_storage address;

    return idv_address_parse(ip, &address) ? idv_address_counted(&address, pool)
                                           : apr_pstrdup(pool, ip);
}
