/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_ETSI_SERVICE_H
#define IDV_METHODS_TRUST_ETSI_SERVICE_H

/*
 * What the two formats of ETSI trusted lists, XML (TS 119 612) and JSON (TS 119
 * 602), have in common: the services in them. etsi_services.def says which of
 * them are of use here.
 *
 * A service is taken when it is of such a type and in force: its status is
 * "granted", "recognised at national level" or "notified", or the format states
 * none. Its certificates are trusted for the documents of its type alone.
 *
 * Memory and failures: as list_content.h.
 */
#include "methods/trust/list_content.h"

/* Extended key usage of those who sign trusted lists (TS 119 612, 5.7.1). */
#define IDV_ETSI_SIGNER_PURPOSE "0.4.0.2231.3.0"

/* A service; texts without blanks at their ends. */
typedef struct {
    const char *type;   /* NULL: none is stated */
    const char *status; /* NULL: none is stated */
    int needs_status;   /* the format demands one */
} idv_etsi_service_t;

/* The types of documents that the certificates of SERVICE sign,
 * NULL-terminated; NULL: the service is passed over. */
const char *const *idv_etsi_service_doc_types(const idv_etsi_service_t *service);

/* Adds the certificate in base64 TEXT of a service that is taken. */
idv_error_t *idv_etsi_service_add(idv_trust_content_t *content,
                                  const char *text,
                                  const char *const *doc_types,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
