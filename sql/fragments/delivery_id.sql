-- The id of the delivery of event e to endpoint w. It contains the time of the
-- event, and the rest is derived from both ids, so there can be no second
-- delivery.
       'whd_' || substr(e.id, 5, 10)
              || left(encode(sha256((e.id || w.id)::bytea), 'hex'), 16)
