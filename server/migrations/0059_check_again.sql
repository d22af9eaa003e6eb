-- The check of the last night may still say that jobs are late. They are looked at as they are now, so it looks again.
update jobs set next_at = coalesce(started_at, next_at) where name = 'check-books' and result::text like '%is overdue since%';
