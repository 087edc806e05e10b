/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SEARCH_H
#define IDV_STORE_SESSION_SEARCH_H

/*
 * Searching sessions for what somebody remembers of them, in any case: an id or
 * its beginning, with `vks_` or without, and of client reference ids any part
 * of three characters or more; of fewer, the beginning.
 *
 * What a search reads is limited whatever there is to find, because a customer
 * chooses the references and the text. It looks at up to 5,000 sessions whose
 * references have pieces of the text; there all of them are known. Are there
 * more, or is the text the beginning of many ids, then it walks over the 5,000
 * sessions next to the cursor, by the index of the narrowest filter, and most
 * often has the page soon. A page is whole or it is refused as
 * `search_too_broad`: nothing is ever left out of one. The statement has a plan
 * that no statistics can change, and a second at most
 * (sql/queries/connection/brief.sql).
 *
 * Memory: everything lives in the given pool.
 */
#include "store/session.h"

/* One page of the sessions that FILTER, which has a search, lets pass: rows of
 * store/session_row.h, one more than the page has when there are more. */
idv_error_t *idv_session_search(idv_db_t *db, const idv_scope_t *scope,
                                const idv_session_filter_t *filter,
                                idv_db_result_t **rows,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
