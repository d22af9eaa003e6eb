/** The channels' settings. A store has none of them until its owner sets one up. */
import * as z from 'zod/mini'
import { CHANNELS, type Channel } from '../../../contract/message-kinds.ts'
import { DECIDE_PER_DAY, DECIDE_UP_TO } from '../../../contract/review-requests.ts'
import type { ChannelState } from '../../../contract/messages.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'

export const EmailFacts = z.object({ host: z.string(), port: z.number(), user: z.string(), from: z.string() })
export const TelegramFacts = z.object({
  bot: z._default(z.string(), ''),
  decide: z._default(z.boolean(), false),
  decideUpTo: z._default(z.number(), DECIDE_UP_TO),
  decidePerDay: z._default(z.number(), DECIDE_PER_DAY),
})

const Row = z.object({
  name: z.enum(CHANNELS),
  isOn: z.boolean(),
  sealed: z.nullable(z.instanceof(Buffer)),
  facts: z.record(z.string(), z.unknown()),
  error: z.nullable(z.string()),
})
export type ChannelRow = z.output<typeof Row>

export async function readChannels(db: Queries): Promise<ChannelRow[]> {
  const rows = await db.rows(sql(Row)`select name, is_on, sealed, facts, error from channels`)
  return CHANNELS.map((name) => rows.find((row) => row.name === name) ?? emptyRow(name))
}

/** @param lock holds the row until the transaction ends, so that two changes of it follow one another */
export async function readChannel(db: Queries, name: Channel, lock = false): Promise<ChannelRow> {
  const row = await db.maybe(sql(Row)`
    select name, is_on, sealed, facts, error from channels where name = ${name} ${lock ? sql`for update` : sql``}`)
  return row ?? emptyRow(name)
}

const emptyRow = (name: Channel): ChannelRow => ({ name, isOn: false, sealed: null, facts: {}, error: null })

/** What the panel shows. Telegram can fail to be read while it can be sent to. */
export async function readStates(db: Queries): Promise<ChannelState[]> {
  const { error } = await db.one(
    sql(() => z.object({ error: z.nullable(z.string()) }))`select error from telegram_poller`,
  )
  return (await readChannels(db)).map((row) =>
    toState(row.name === 'telegram' ? { ...row, error: row.error ?? error } : row),
  )
}

/** The password or the token; undefined if there is none. */
export const secretOf = (sealer: Sealer, { name, sealed }: ChannelRow): string | undefined =>
  sealed === null ? undefined : sealer.open('channel', name, sealed)

/** Push needs nothing; e-mail needs a server and a sender, Telegram a bot. */
export function isSet({ name, facts, sealed }: ChannelRow): boolean {
  if (name === 'push') return true
  return name === 'email' ? EmailFacts.safeParse(facts).success : sealed !== null
}

export const toState = (row: ChannelRow): ChannelState => ({
  name: row.name,
  isOn: row.isOn,
  isSet: isSet(row),
  facts: row.facts,
  error: row.isOn ? row.error : null,
})

export async function writeChannel(db: Queries, row: ChannelRow, now: Date): Promise<void> {
  await db.run(sql`
    insert into channels (name, is_on, sealed, facts, checked_at, error)
    values (${row.name}, ${row.isOn}, ${row.sealed}, ${JSON.stringify(row.facts)}::jsonb, ${now}, ${row.error})
    on conflict (name) do update
       set is_on = excluded.is_on, sealed = excluded.sealed, facts = excluded.facts, checked_at = excluded.checked_at,
           error = excluded.error`)
}

/** Notes whether a channel works, for the panel. */
export async function noteChannel(db: Queries, name: Channel, error: string | null, now: Date): Promise<void> {
  await db.run(sql`
    update channels set error = ${error}, checked_at = ${now} where name = ${name} and error is distinct from ${error}`)
}
