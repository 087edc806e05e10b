-- The persons who took part in the reviews of :organization_id's session
-- "about", whether or not they decided: who opened, moved and ended them,
-- claimed the session, decided another second review of it or settled one,
-- viewed its evidence, or did any other recorded action on it. Actions of
-- verifyctl on behalf of a person are recorded with the name.
       ARRAY(SELECT e.actor
               FROM review_entry e
              WHERE e.organization_id = :organization_id
                AND e.session_id = about.session_id AND e.actor IS NOT NULL
              UNION
             SELECT c.reviewer
               FROM review_claim c
              WHERE c.organization_id = :organization_id
                AND c.session_id = about.session_id
              UNION
             SELECT u.who
               FROM second_review s
              CROSS JOIN LATERAL (
                 VALUES (s.second_reviewer), (s.settled_by)) u (who)
              WHERE s.organization_id = :organization_id
                AND s.session_id = about.session_id AND u.who IS NOT NULL
              UNION
             SELECT t.who
               FROM operator_action a
              CROSS JOIN LATERAL (
                 VALUES (a.entry::json ->> 'actor'),
                        (a.entry::json -> 'details' ->> 'by')) t (who)
              WHERE a.organization_id = :organization_id
                AND a.entry::json ->> 'subject'
                    = about.session_id COLLATE "default"  -- as its index has it
                AND t.who IS NOT NULL)
