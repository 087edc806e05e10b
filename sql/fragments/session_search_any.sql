-- What a search finds by no index: the pattern $11 in any part of both.
   AND (client_reference_id ILIKE $11::text OR id ILIKE $11::text)
