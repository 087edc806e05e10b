-- Why the session "s" is held, as a code: `flagged` after its verification, a doubt or
-- `law_unknown`, or `workflow`. The text of a flag is not a code.
       CASE WHEN coalesce((s.runner ->> 'review_flagged')::boolean, false)
            THEN 'flagged'
            ELSE coalesce(s.runner ->> 'review_reason', 'workflow') END
