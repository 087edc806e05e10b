-- The stored answer of a session, packed, if the row is unchanged since the
-- answer was stored and the answer's format version is from
-- :answer_version_least to :answer_version.
       CASE WHEN answer_xid = xmin
                 AND answer_version BETWEEN :answer_version_least::smallint
                                        AND :answer_version::smallint
            THEN answer END
