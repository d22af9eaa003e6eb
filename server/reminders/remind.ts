/**
 * Tells buyers in time that a key ends or that credit expires. Each run looks at all that is due now, and the outbox
 * takes each message once. So a run that was killed, or another node's, neither loses a message nor repeats one.
 */
import * as z from 'zod/mini'
import { parseDuration } from '../../contract/duration.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { DAYTIME_UNTIL, isDaytime, startOfDay } from '../../contract/india.ts'
import { endOrderId, firstOrderId, isForSaleAgain, mayAct } from '../platform/database/conditions.ts'
import { columns, literal, sql, type Database, type Queries } from '../platform/database/database.ts'
import { enqueue, hasChannel, type NewMessage } from '../platform/outbox.ts'

/** A short key is reminded of this long before it ends. */
const SHORT_MS = 4 * HOUR_MS
/** A store that was off makes up for reminders of this many days, while what they tell of is still to come. */
const KEY_DAYS_MADE_UP = 1
const CREDIT_DAYS = [
  { ahead: 7, madeUp: 5 },
  { ahead: 1, madeUp: 1 },
]
const CREDIT_MIN_PAISE = 10_00
/** Per run. The next run continues. */
const MESSAGES_MAX = 2_000

/** Keys of one length, of the products whose owner chose so many days; null for the usual ones. */
interface Kind {
  duration: string
  ms: number
  remindDays: number | null
}

/** A choice of days says nothing of keys that do not last longer. */
const isChosen = ({ ms, remindDays }: Kind): boolean => remindDays !== null && ms > remindDays * DAY_MS

/** @returns the days before the end on which such a key is reminded of; none for a short one */
const reminderDays = (kind: Kind): readonly number[] => {
  if (isChosen(kind)) return kind.remindDays === 0 || kind.remindDays === null ? [] : [kind.remindDays]
  return kind.ms >= 20 * DAY_MS ? [3, 1] : kind.ms >= 3 * DAY_MS ? [1] : []
}

/** @returns how many messages were written */
export async function remind(db: Database, now: Date): Promise<{ keys: number; credit: number }> {
  if (!(await hasChannel(db))) return { keys: 0, credit: 0 }
  const day = startOfDay(now)
  const kinds = await readKinds(db)
  const days = isDaytime(now) ? [daysAfter(day, -KEY_DAYS_MADE_UP), day] : []
  const keys = [...endingSoon(kinds, now), ...days.flatMap((due) => endingAround(kinds, due))]
  return {
    keys: await write(db, await findEnding(db, keys, { day, now }), now),
    credit: isDaytime(now) ? await write(db, await findExpiring(db, { day, now }), now) : 0,
  }
}

/** Finds orders of a duration whose keys end between two moments. */
interface Ending extends Kind {
  endsFrom: Date
  endsTo: Date
  /** The day on which the reminder is due; null for a short key. */
  due: Date | null
}

const KindRow = z.object({ duration: z.string(), remindDays: z.nullable(z.number()) })

/** Every duration with every choice, because a price may have had another duration when its orders were placed. */
async function readKinds(db: Queries): Promise<Kind[]> {
  const rows = await db.rows(sql(KindRow)`
    select duration, remind_days
      from (select distinct duration from prices) each
     cross join (select distinct remind_days from products) choice`)
  return rows.flatMap((row) => {
    const ms = parseDuration(row.duration)?.ms
    return ms === undefined ? [] : [{ ...row, ms }]
  })
}

const daysAfter = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_MS)

function endingAround(kinds: readonly Kind[], due: Date): Ending[] {
  return kinds.flatMap((each) =>
    reminderDays(each).map((days) => ({
      ...each,
      endsFrom: daysAfter(due, days),
      endsTo: daysAfter(due, days + 1),
      due,
    })),
  )
}

function endingSoon(kinds: readonly Kind[], now: Date): Ending[] {
  return kinds
    .filter((each) => each.ms >= DAY_MS && each.ms < 3 * DAY_MS && !isChosen(each))
    .map((each) => ({ ...each, endsFrom: now, endsTo: new Date(now.getTime() + SHORT_MS), due: null }))
}

type Reminder = Omit<NewMessage, 'now'>

const EndingRow = z.object({
  userId: z.string(),
  orderId: z.string(),
  endsAt: z.date(),
  count: z.number(),
  dedupe: z.string(),
})

/**
 * Finds what ends, as one reminder per buyer and day, because the keys of an order end together. Skips a buyer who
 * holds a newer key of the same product and duration, and an order that will renew or whose keys were all replaced or
 * refunded.
 */
async function findEnding(
  db: Queries,
  endings: readonly Ending[],
  { day, now }: { day: Date; now: Date },
): Promise<Reminder[]> {
  if (endings.length === 0) return []
  const rows = await db.rows(sql(EndingRow)`
    with ending as (
      select earlier.user_id, earlier.id, earlier.created_at + want.length as ends_at,
             case when want.due is null then 'key.ending:' || earlier.id
                  else 'key.ending:' || earlier.user_id || ${`:${day.toISOString()}`} end as dedupe,
             'key.ending:' || earlier.user_id || ':' || want.due as due_dedupe
        from ${columns(
          endings.map((ending) => ({
            ...ending,
            seconds: ending.ms / 1000,
            due: ending.due?.toISOString(),
            fromId: firstOrderId(new Date(ending.endsFrom.getTime() - ending.ms)),
            toId: endOrderId(new Date(ending.endsTo.getTime() - ending.ms)),
          })),
          `duration text, remind_days int, seconds float8, ends_from timestamptz, ends_to timestamptz, due text,
              from_id uuid, to_id uuid`,
        )} as line
       cross join lateral (select make_interval(secs => line.seconds) as length, line.due) want
        join orders earlier on earlier.duration = line.duration
                           and earlier.id between line.from_id and line.to_id
                           and earlier.created_at >= line.ends_from - want.length
                           and earlier.created_at < line.ends_to - want.length
                           and earlier.created_at >= ${now}::timestamptz - want.length
        join products product on product.id = earlier.product_id
                             and product.remind_days is not distinct from line.remind_days
        join users buyer on buyer.id = earlier.user_id and ${mayAct(sql`buyer`)}
       where not exists (select from orders newer
                          where newer.user_id = earlier.user_id and newer.price_id = earlier.price_id
                            and newer.created_at > earlier.created_at)
         and not exists (select from renewals renewal
                          where order_id = earlier.id and ended_at is null and ${isForSaleAgain})
         and exists (select from license_keys key
                      where key.order_id = earlier.id and key.replaces is null
                        and not exists (select from key_claims claim
                                         where claim.key_id = key.id and claim.status in ('replaced', 'refunded')))
    )
    select user_id, (array_agg(id::text order by ends_at, id))[1] as order_id, min(ends_at) as ends_at,
           count(*) as count, dedupe
      from ending
     where not exists (select from outbox_messages sent where sent.dedupe in (ending.dedupe, ending.due_dedupe))
     group by user_id, dedupe
     limit ${literal(MESSAGES_MAX)}`)
  return rows.map(({ userId, orderId, endsAt, count, dedupe }) => ({
    kind: 'key.ending',
    userId,
    subjectId: orderId,
    data: { count },
    dedupe,
    goneAfter: endsAt,
  }))
}

const ExpiringRow = z.object({ userId: z.string(), amount: z.number(), expiresAt: z.date(), dedupe: z.string() })

/** Finds credit that expires in seven days, or tomorrow, where it is worth a message. */
async function findExpiring(db: Queries, { day, now }: { day: Date; now: Date }): Promise<Reminder[]> {
  const lines = CREDIT_DAYS.flatMap(({ ahead, madeUp }, each) =>
    Array.from({ length: madeUp + 1 }, (_, late) => ({
      startsAt: daysAfter(day, ahead - late),
      due: daysAfter(day, -late).toISOString(),
      each: each + 1,
    })),
  )
  const rows = await db.rows(sql(ExpiringRow)`
    with expiring as (
      select lot.user_id, sum(lot.remaining_paise)::bigint as amount, min(lot.expires_at) as expires_at,
             'credit.lapsing:' || lot.user_id || ':' || line.due || ':' || line.each as dedupe
        from ${columns(lines, 'starts_at timestamptz, due text, each int')} as line
        join wallet_lots lot on lot.is_open and lot.expires_at >= line.starts_at
                            and lot.expires_at < line.starts_at + interval '24 hours' and lot.expires_at > ${now}
                            and lot.added_at < line.due::timestamptz + ${`${DAYTIME_UNTIL} hours`}::interval
        join users buyer on buyer.id = lot.user_id and ${mayAct(sql`buyer`)}
       group by lot.user_id, line.due, line.each
      having sum(lot.remaining_paise) >= ${CREDIT_MIN_PAISE}
    )
    select user_id, amount, expires_at, dedupe
      from expiring
     where not exists (select from outbox_messages sent where sent.dedupe = expiring.dedupe)
     limit ${literal(MESSAGES_MAX)}`)
  return rows.map(({ userId, amount, expiresAt, dedupe }) => ({
    kind: 'credit.lapsing',
    userId,
    data: { amount, expiresAt: expiresAt.toISOString() },
    dedupe,
    goneAfter: expiresAt,
  }))
}

async function write(db: Database, reminders: readonly Reminder[], now: Date): Promise<number> {
  if (reminders.length > 0)
    await db.transaction(async (tx) => {
      for (const reminder of reminders) enqueue(tx, { ...reminder, now })
    })
  return reminders.length
}
