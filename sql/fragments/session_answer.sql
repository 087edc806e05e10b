-- The answer of a session, packed, when the row is as it was written with it,
-- and in a version of the form from :answer_version_least to :answer_version.
       CASE WHEN answer_xid = xmin
                 AND answer_version BETWEEN :answer_version_least::smallint
                                        AND :answer_version::smallint
            THEN answer END
