/** The owner sets up a channel, or turns it on or off. */
import type * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import type { ChannelState, messages } from '../../contract/messages.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'
import { formatPaise, toRupees } from '../../contract/money.ts'
import { TelegramFacts, isSet, readChannel, toState, writeChannel, type ChannelRow } from './channels/channels.ts'
import type { Reach } from './channels/reach.ts'
import { createBot } from './telegram/telegram.ts'

type Change = z.output<(typeof messages)['saveChannel']['input']>
/** @throws Refusal STEP_UP_REQUIRED, or INVALID_INPUT for a channel that could not work */
export async function saveChannel(
  services: Services,
  reach: Reach,
  change: Change,
  by: ProvingBy,
): Promise<ChannelState> {
  by.requireProof()
  const { db, sealer, events } = services
  const { name, isOn, password, botToken } = change
  const bot = botToken === undefined ? undefined : await nameOfBot(reach, botToken)
  const saved = await db.transaction(async (tx) => {
    const before = await readChannel(tx, name, true)
    const secret = name === 'email' ? password : name === 'telegram' ? botToken : undefined
    if (secret === undefined) refuseElsewhere(before, change)
    const sealed =
      secret === undefined ? before.sealed : secret === '' ? null : sealer.seal('channel', before.name, secret)
    const facts = { ...(name === 'email' && { user: '' }), ...before.facts, ...factsOf(change), ...(bot && { bot }) }
    const after: ChannelRow = { ...before, isOn: isOn ?? before.isOn, sealed, facts, error: null }
    refuseUseless(after, reach)
    await refuseTooMuch(tx, after)
    await writeChannel(tx, after, by.now)
    // Another bot counts its updates from elsewhere
    if (botToken !== undefined) await tx.run(sql`update telegram_poller set next_update = 0, error = null`)
    await audit(tx, by, {
      action: 'messages.channel',
      subject: name,
      before: { isOn: before.isOn, ...before.facts },
      after: { isOn: after.isOn, ...after.facts, ...(secret !== undefined && { secret: 'changed' }) },
    })
    return after
  })
  // Wakes the workers of all nodes
  events.publish({ to: 'admins', name: 'settings' })
  return toState(saved)
}

function factsOf(change: Change): ChannelRow['facts'] {
  const { name, host, port, user, from, decide } = change
  const decideUpTo = change.decideUpTo && toRupees(change.decideUpTo)
  const decidePerDay = change.decidePerDay && toRupees(change.decidePerDay)
  const facts =
    name === 'email' ? { host, port, user, from } : name === 'telegram' ? { decide, decideUpTo, decidePerDay } : {}
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

/** A person who only changes the server would get the saved password, so it is asked for again. */
function refuseElsewhere({ name, sealed, facts }: ChannelRow, change: Change): void {
  const isElsewhere = ASKED_AGAIN.some((fact) => change[fact] !== undefined && change[fact] !== (facts[fact] ?? ''))
  if (name === 'email' && sealed !== null && isElsewhere)
    throw invalid({ password: 'Enter the password again, because the server, port or username has changed.' })
}

const ASKED_AGAIN = ['host', 'port', 'user'] as const

function refuseUseless(row: ChannelRow, { publicOrigin }: Reach): void {
  const { name, facts, isOn } = row
  if (name === 'email' && Object.keys(facts).some((fact) => fact !== 'user')) {
    const missing = (['host', 'port', 'from'] as const).filter((fact) => facts[fact] === undefined)
    if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((fact) => [fact, 'This is required'])))
  }
  if (!isOn) return
  if (!isSet(row)) throw invalid({ isOn: name === 'email' ? 'Set the mail server first' : 'Set the bot token first' })
  if (name === 'email' && publicOrigin === undefined)
    throw invalid({ isOn: 'Links in emails need the store’s address. Ask the person who runs your server to set it.' })
}

/** What needs a proof in the panel can't be done by a tap. */
async function refuseTooMuch(db: Queries, { name, facts }: ChannelRow): Promise<void> {
  if (name !== 'telegram') return
  const { decide, decideUpTo } = TelegramFacts.parse(facts)
  const { stepUpAbove } = await readSettings(db)
  if (decide && decideUpTo > toRupees(stepUpAbove))
    throw new Refusal('INVALID_INPUT', {
      say: [
        'You can allow up to {most}. Larger amounts need a confirmation in the panel.',
        { most: formatPaise(stepUpAbove) },
      ],
      field: 'decideUpTo',
    })
}

function invalid(fields: Record<string, string>): Refusal {
  return new Refusal('INVALID_INPUT', { message: Object.values(fields)[0] ?? '', fields })
}

/** Asks Telegram whose token it is, so that a wrong one is said when it is entered. */
async function nameOfBot({ outbound, telegramUrl }: Reach, token: string): Promise<string> {
  const answer = await createBot(outbound, telegramUrl, token)
    .ask('getMe', {})
    .catch(() => {
      throw invalid({ botToken: 'Telegram does not answer right now. Try again in a moment.' })
    })
  const { username } = (answer.result ?? {}) as { username?: unknown }
  if (!answer.ok || typeof username !== 'string') throw invalid({ botToken: 'Telegram does not know this token' })
  return username
}
