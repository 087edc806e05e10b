/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_READER_CHIP_READING_H
#define IDV_READER_CHIP_READING_H

/*
 * Reads a passport's chip after access was gained: its files, the signature of
 * a challenge, and the answers to commands of the server. The files are those
 * of methods/passport/chip_dump.h, whose format is used for the output;
 * fingerprints and irises are never read.
 *
 * A portrait may exceed 32,768 bytes. Beyond that offset a file is read with
 * READ BINARY of the odd instruction (9303-10, 3.6.3.2), since the even one
 * cannot encode it. A file larger than the service accepts
 * (idv_chip_file_max()) is an error.
 *
 * Memory: the given pool, wiped with it. Threads: one. Failures: internal
 * errors with a text for the operator, without any data that was read.
 */
#include "methods/passport/chip_authentication.h"
#include "methods/passport/chip_dump.h"
#include "reader/chip_link.h"

/* Reads those of the files above that the chip has. EF.COM, EF.SOD and DG1 are
 * required. */
idv_error_t *idv_chip_files_read(idv_chip_link_t *link, idv_chip_dump_t *dump,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The data groups that EF.COM of DUMP lists but DUMP lacks, as "DG3, DG12";
 * NULL: none. */
const char *idv_chip_files_unread(const idv_chip_dump_t *dump,
                                  apr_pool_t *pool);

/* Has CHALLENGE signed (active authentication) and adds it with its signature
 * to DUMP. A chip without DG15 signs nothing, which is not an error. */
idv_error_t *idv_chip_challenge_sign(idv_chip_link_t *link,
                                     idv_bytes_t challenge,
                                     idv_chip_dump_t *dump,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Sends a command of the server and returns the response with its status, in
 * the form that the server expects. */
idv_error_t *idv_chip_relay_send(idv_chip_link_t *link,
                                 const idv_chip_command_t *command,
                                 idv_bytes_t *response,
                                 apr_pool_t *pool) IDV_CHECKED;

/* DUMP in the format of the service. */
const char *idv_chip_dump_text(const idv_chip_dump_t *dump, apr_pool_t *pool);

#endif
