/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_ETSI_SERVICE_H
#define IDV_METHODS_TRUST_ETSI_SERVICE_H

/*
 * The services in ETSI trusted lists, common to the formats XML (TS 119 612)
 * and JSON (TS 119 602). etsi_services.def lists the supported types.
 *
 * A service is used if it is of such a type and in force: its status is
 * "granted", "recognised at national level" or "notified", or the format states
 * none. Its certificates are trusted only for the documents of its type.
 *
 * Memory and failures: as list_content.h.
 */
#include "methods/trust/list_content.h"

/* Extended key usage of signers of trusted lists (TS 119 612, 5.7.1). */
#define IDV_ETSI_SIGNER_PURPOSE "0.4.0.2231.3.0"

/* A service; texts without blanks at their ends. */
typedef struct {
    const char *type;   /* NULL: not stated */
    const char *status; /* NULL: not stated */
    int needs_status;   /* flag: the format demands a status */
} idv_etsi_service_t;

/* The types of documents that the certificates of SERVICE sign,
 * NULL-terminated; NULL: the service is ignored. */
const char *const *idv_etsi_service_doc_types(const idv_etsi_service_t *service);

/* Adds the certificate in base64 TEXT of a service that is used. */
idv_error_t *idv_etsi_service_add(idv_trust_content_t *content,
                                  const char *text,
                                  const char *const *doc_types,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
