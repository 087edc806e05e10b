/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/chip_link.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/crypto.h>
#include <winscard.h>

#define READERS_MAX 16
#define RESPONSE_MAX 65538

struct idv_chip_link_t {
    SCARDCONTEXT context;
    SCARDHANDLE card;
    int is_connected;
    const SCARD_IO_REQUEST *protocol;
    idv_secure_channel_t channel;
    int is_secure;
    unsigned char response[RESPONSE_MAX];
};

static apr_status_t close_link(void *data)
{
    idv_chip_link_t *link = data;

    if (link->is_connected)
        SCardDisconnect(link->card, SCARD_RESET_CARD);
    SCardReleaseContext(link->context);
    idv_secure_channel_wipe(&link->channel);
    OPENSSL_cleanse(link->response, sizeof(link->response));
    return APR_SUCCESS;
}

static idv_error_t *fault(LONG code, const char *what, apr_pool_t *pool)
{
    return idv_error_internal(pool, "%s: %s", what, pcsc_stringify_error(code));
}

/* The names of the readers in one text, each followed by a NUL. */
static idv_error_t *list_readers(const idv_chip_link_t *link, const char *only,
                                 SCARD_READERSTATE *states, int *count,
                                 apr_pool_t *pool)
{
    DWORD length = 0;
    LONG code = SCardListReaders(link->context, NULL, NULL, &length);
    char *names;

    *count = 0;
    if (code == SCARD_E_NO_READERS_AVAILABLE)
        return NULL;
    if (code != SCARD_S_SUCCESS)
        return fault(code, "the readers cannot be listed", pool);
    names = apr_pcalloc(pool, length + 1);
    code = SCardListReaders(link->context, NULL, names, &length);
    if (code != SCARD_S_SUCCESS)
        return fault(code, "the readers cannot be listed", pool);
    for (; *names && *count < READERS_MAX; names += strlen(names) + 1)
        if (!only || strcmp(only, names) == 0)
            states[(*count)++] = (SCARD_READERSTATE){
                .szReader = names, .dwCurrentState = SCARD_STATE_UNAWARE};
    return NULL;
}

/* The first reader with a chip; NULL: no reader has one yet. */
static const char *find_present(const SCARD_READERSTATE *states, int count)
{
    for (int i = 0; i < count; i++)
        if (states[i].dwEventState & SCARD_STATE_PRESENT)
            return states[i].szReader;
    return NULL;
}

/* The readers are listed again each second, since one may be plugged in. */
static idv_error_t *await_chip(const idv_chip_link_t *link, const char *only,
                               int seconds, const char **name, apr_pool_t *pool)
{
    for (int second = 0; second <= seconds; second++) {
        SCARD_READERSTATE states[READERS_MAX] = {0};
        int count;

        IDV_TRY(list_readers(link, only, states, &count, pool));
        if (count > 0)
            SCardGetStatusChange(link->context, 0, states, (DWORD)count);
        *name = find_present(states, count);
        if (*name)
            return NULL;
        for (int i = 0; i < count; i++)
            states[i].dwCurrentState = states[i].dwEventState;
        if (count == 0) /* waits for a reader */
            states[count++] =
                (SCARD_READERSTATE){.szReader = "\\\\?PnP?\\Notification"};
        SCardGetStatusChange(link->context, 1000, states, (DWORD)count);
    }
    return idv_error_internal(pool, "no document is on %s",
                              only ? only : "any reader");
}

idv_error_t *idv_chip_link_open(const char *reader, int seconds,
                                idv_chip_link_t **out, apr_pool_t *pool)
{
    idv_chip_link_t *link = apr_pcalloc(pool, sizeof(*link));
    const char *name;
    DWORD protocol;
    LONG code =
        SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &link->context);

    if (code != SCARD_S_SUCCESS)
        return fault(code, "PC/SC (pcscd) does not answer", pool);
    apr_pool_cleanup_register(pool, link, close_link, apr_pool_cleanup_null);
    IDV_TRY(await_chip(link, reader, seconds, &name, pool));
    code = SCardConnect(link->context, name, SCARD_SHARE_EXCLUSIVE,
                        SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1, &link->card,
                        &protocol);
    if (code != SCARD_S_SUCCESS)
        return fault(code, "the document does not answer", pool);
    link->is_connected = 1;
    link->protocol =
        protocol == SCARD_PROTOCOL_T0 ? SCARD_PCI_T0 : SCARD_PCI_T1;
    *out = link;
    return NULL;
}

idv_error_t *idv_chip_link_transmit(idv_chip_link_t *link, idv_bytes_t command,
                                    idv_bytes_t *response, apr_pool_t *pool)
{
    DWORD length = sizeof(link->response);
    LONG code =
        SCardTransmit(link->card, link->protocol, command.data, command.length,
                      NULL, link->response, &length);
    unsigned char *data;

    if (code != SCARD_S_SUCCESS)
        return fault(code, "the document was removed, or does not answer",
                     pool);
    if (length < 2)
        return idv_error_internal(pool, "the document's response is too short");
    data = apr_pmemdup(pool, link->response, length);
    idv_wipe_with_pool(data, length, pool);
    *response = (idv_bytes_t){data, length};
    return NULL;
}

/* COMMAND in the encoding that is used without a channel. */
static idv_bytes_t encode(const idv_chip_apdu_t *command, apr_pool_t *pool)
{
    unsigned char *apdu = apr_palloc(pool, 4 + 1 + command->data.length + 1);
    apr_size_t length = 4;

    memcpy(apdu, command->header, 4);
    if (command->data.length > 0) {
        apdu[length++] = (unsigned char)command->data.length;
        memcpy(apdu + length, command->data.data, command->data.length);
        length += command->data.length;
    }
    if (command->expected > 0)
        apdu[length++] = (unsigned char)command->expected; /* 256 is 0 */
    return (idv_bytes_t){apdu, length};
}

/* Adapts a protected command for a response of more than 256 bytes: the
 * protected part is unchanged, but the lengths around it become extended
 * ones. */
static idv_bytes_t extend(idv_bytes_t apdu, apr_pool_t *pool)
{
    unsigned char *extended = apr_palloc(pool, apdu.length + 3);
    apr_size_t body = apdu.data[4];

    memcpy(extended, apdu.data, 4);
    extended[4] = extended[5] = 0;
    extended[6] = (unsigned char)body;
    memcpy(extended + 7, apdu.data + 5, body);
    extended[7 + body] = extended[8 + body] = 0;
    return (idv_bytes_t){extended, 9 + body};
}

idv_error_t *idv_chip_link_send(idv_chip_link_t *link,
                                const idv_chip_apdu_t *command,
                                idv_bytes_t *data, int *status,
                                apr_pool_t *pool)
{
    idv_bytes_t apdu, response;

    if (link->is_secure) {
        apdu = idv_secure_channel_protect(&link->channel, command, pool);
        if (command->expected == 256)
            apdu = extend(apdu, pool);
    } else {
        apdu = encode(command, pool);
    }
    IDV_TRY(idv_chip_link_transmit(link, apdu, &response, pool));
    if (link->is_secure && response.length > 2) {
        idv_error_t *error = idv_secure_channel_accept(&link->channel, response,
                                                       data, status, pool);

        return error
                 ? idv_error_internal(pool, "the document's channel is broken")
                 : NULL;
    }
    *data = (idv_bytes_t){response.data, response.length - 2};
    *status = response.data[response.length - 2] << 8
            | response.data[response.length - 1];
    return NULL;
}

void idv_chip_link_secure(idv_chip_link_t *link,
                          const idv_secure_channel_t *channel)
{
    link->channel = *channel;
    link->is_secure = 1;
}
