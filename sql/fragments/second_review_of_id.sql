-- The second review r with the operators' id :id.
       (r.shown_id = :id OR (r.shown_id IS NULL AND r.id = :id))
