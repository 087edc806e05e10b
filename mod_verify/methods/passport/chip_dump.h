/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_CHIP_DUMP_H
#define IDV_METHODS_PASSPORT_CHIP_DUMP_H

/*
 * The dump of a passport's chip that an app sends: one JSON object whose
 * members are the chip's elementary files in base64 (RFC 4648, 4, with
 * padding), each complete with its tag and length:
 *
 *   { "COM", "SOD", "DG1", "DG2", "DG11", "DG14", "DG15",
 *     "AAChallenge", "AASignature", "reader" }
 *
 * The names are those of existing apps. Each member may be absent;
 * passport_reading.h handles that. `reader` is a name of the reading software,
 * not base64. DG3 and DG4 (fingerprints, irises) are refused before anything is
 * decoded, so that no unneeded personal data is accepted; so are the other data
 * groups, by their names, and any other member as unknown.
 *
 * Memory: the decoded files live in the result pool, hold personal data and are
 * wiped with that pool. Threads: pure.
 */
#include "core/crypto.h"

/* Bytes of the longest dump, as text. */
#define IDV_CHIP_DUMP_MAX (512 * 1024)
/* Bytes of a challenge (ICAO Doc 9303-11, 6.1). */
#define IDV_CHIP_CHALLENGE_SIZE 8
/* Bytes of the longest name of a reader. */
#define IDV_CHIP_READER_MAX 64

/* The files: X(name, member, tag of the file, number of the data group or 0,
 * bytes at most). */
#define IDV_CHIP_FILES(X)                                                      \
    X(COM, "COM", 0x60, 0, 1024)                                               \
    X(SOD, "SOD", 0x77, 0, 65536)                                              \
    X(DG1, "DG1", 0x61, 1, 1024)                                               \
    X(DG2, "DG2", 0x75, 2, 393216)                                             \
    X(DG11, "DG11", 0x6B, 11, 16384)                                           \
    X(DG14, "DG14", 0x6E, 14, 16384)                                           \
    X(DG15, "DG15", 0x6F, 15, 8192)

typedef enum {
#define X(name, member, tag, number, most) IDV_CHIP_##name,
    IDV_CHIP_FILES(X)
#undef X
        IDV_CHIP_FILE_COUNT
} idv_chip_file_t;

typedef struct {
    idv_bytes_t files[IDV_CHIP_FILE_COUNT]; /* length 0: not sent */
    idv_bytes_t challenge; /* IDV_CHIP_CHALLENGE_SIZE bytes, or none */
    idv_bytes_t signature; /* of the challenge, or none */
    const char *reader;    /* printable ASCII; NULL: not named */
} idv_chip_dump_t;

/* The data group in a file, 1 to 16; 0 for EF.COM and EF.SOD. */
int idv_chip_file_data_group(idv_chip_file_t file);

/* The name of a file in the dump. */
const char *idv_chip_file_name(idv_chip_file_t file);

/* The tag that a file begins with. */
apr_uint32_t idv_chip_file_tag(idv_chip_file_t file);

/* Bytes of the longest file that is taken. */
apr_size_t idv_chip_file_max(idv_chip_file_t file);

/* Parses a dump; `parameter_invalid` with the member as its parameter, and
 * never a value, if it deviates from the above or a part is too long. */
idv_error_t *idv_chip_dump_read(const char *text, apr_size_t length,
                                idv_chip_dump_t **dump,
                                apr_pool_t *result) IDV_CHECKED;

#endif
