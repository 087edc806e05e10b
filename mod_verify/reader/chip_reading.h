/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_READER_CHIP_READING_H
#define IDV_READER_CHIP_READING_H

/*
 * What is read from a passport's chip after access was given: its files, the
 * signature of a challenge, and the answers to commands of the server. The
 * files are those of methods/passport/chip_dump.h, in whose format they are
 * written; fingerprints and irises are never asked for.
 *
 * Of a file of more than 32,768 bytes, which a portrait may be, the rest is read
 * with READ BINARY of the odd instruction (9303-10, 3.6.3.2), since the even one has
 * no room for such an offset. A file of more bytes than the service takes
 * (idv_chip_file_max()) is an error.
 *
 * Memory: the pool given, wiped with it. Threads: one. Failures: internal
 * errors with a text for the operator, without a byte of what was read.
 */
#include "methods/passport/chip_authentication.h"
#include "methods/passport/chip_dump.h"
#include "reader/chip_link.h"

/* Reads the files that the chip has of those above. EF.COM, EF.SOD and DG1 have
 * to be there. */
idv_error_t *idv_chip_files_read(idv_chip_link_t *link, idv_chip_dump_t *dump,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The data groups that the chip says it has (EF.COM of DUMP) and that are not in
 * DUMP, as "DG3, DG12"; NULL: none. */
const char *idv_chip_files_unread(const idv_chip_dump_t *dump,
                                  apr_pool_t *pool);

/* Has CHALLENGE signed (active authentication), which goes into DUMP with its
 * signature; a chip without DG15 signs nothing, and that is no error. */
idv_error_t *idv_chip_challenge_sign(idv_chip_link_t *link,
                                     idv_bytes_t challenge,
                                     idv_chip_dump_t *dump,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Sends a command of the server, and gives the response with its status as the
 * server wants it. */
idv_error_t *idv_chip_relay_send(idv_chip_link_t *link,
                                 const idv_chip_command_t *command,
                                 idv_bytes_t *response,
                                 apr_pool_t *pool) IDV_CHECKED;

/* DUMP as the service takes it. */
const char *idv_chip_dump_text(const idv_chip_dump_t *dump, apr_pool_t *pool);

#endif
