-- The answer of a session, when the row is as it was written with it, and in
-- the form's version :answer_version.
       CASE WHEN answer_xid = xmin
                 AND answer_version = :answer_version::smallint
            THEN answer END
