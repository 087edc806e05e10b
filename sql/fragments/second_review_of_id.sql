-- The second review r that operators know by :id.
       (r.shown_id = :id OR (r.shown_id IS NULL AND r.id = :id))
