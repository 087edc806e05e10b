m.id, m.protocol, m.session_id, m.sealed, m.created_at, m.expires_at,
m.answered_at, m.return_digest, m.returned_at, m.verdict, m.reason, m.refused,
m.opening, EXISTS (SELECT FROM analysis_job j
                    WHERE j.organization_id = m.organization_id
                      AND j.session_id = m.session_id AND j.id = m.opening)
