-- The answer of a session, when the row is as it was written with it, and in the
-- version $3.
       CASE WHEN answer_xid = xmin AND answer_version = $3::smallint
            THEN answer END
