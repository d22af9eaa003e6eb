/** Sends the words of a real event to the admin who asks, so that a channel is seen to work. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import type { Language } from '../../contract/languages.ts'
import { kindOf, type Channel, type MessageKind } from '../../contract/message-kinds.ts'
import { isListed } from '../platform/database/conditions.ts'
import { sql } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { MessageRow, type Outcome } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { readLetterhead } from '../settings/site-name.ts'
import { noteChannel, readChannel } from './channels/channels.ts'
import { deliver, type MailTimes } from './channels/email.ts'
import { pushTargetsOf } from './channels/push.ts'
import { telegramTargetsOf } from './telegram/telegram-links.ts'
import type { Words } from './words/wording.ts'
import { adminsLanguage, describe } from './words.ts'
import type { Reach } from './channels/reach.ts'
import { failureOf, sendBy } from './worker.ts'

interface Result {
  state: 'sent' | 'dead' | 'dropped' | 'waiting'
  status: number | null
  error: string | null
}

/** @throws Refusal CHANNEL_OFF */
export async function testChannel(
  services: Services,
  reach: Reach,
  { name, kind }: { name: Channel; kind: MessageKind },
  { admin, now }: Pick<Call<'admin'>, 'admin' | 'now'>,
): Promise<Result> {
  const { db } = services
  const channel = await readChannel(db, name)
  if (!channel.isOn) throw new Refusal('CHANNEL_OFF')
  const words = await newestWords(services, kind, now, await adminsLanguage(db, admin.id))
  if (!words) return { state: 'dropped', status: null, error: 'Nothing of this kind has happened yet.' }
  const targets = name === 'push' ? pushTargetsOf(db, { adminIds: [admin.id] }) : telegramTargetsOf(db, [admin.id], now)
  const all = name === 'email' ? [''] : await targets
  if (all.length === 0)
    return {
      state: 'dropped',
      status: null,
      error: name === 'push' ? 'Turn on notifications on this phone first.' : 'Link your Telegram chat first.',
    }
  const outcomes = await Promise.all(
    all.map((target) =>
      (name === 'email'
        ? toSender(services, reach, words)
        : sendBy(services, reach, { channel: name, target, id: newId(), kind }, words)
      ).catch((error: unknown) => failureOf(name, error)),
    ),
  )
  const outcome = outcomes.find(({ is }) => is === 'sent') ?? outcomes[0]
  if (!outcome) throw new Error('Nothing was sent')
  const result = resultOf(outcome)
  await noteChannel(db, name, result.error, now)
  return result
}

/** Short, because an admin waits for the answer. */
const WAITED_FOR: MailTimes = { connect: 10_000, greeting: 20_000, silence: 20_000, whole: 30_000 }

/** To the store's own address, because admins have none. */
async function toSender({ db, sealer, clock, ended }: Services, reach: Reach, words: Words): Promise<Outcome> {
  const letterhead = await readLetterhead(db)
  const sending = { db, sealer, ended, ...reach, mailTimes: WAITED_FOR, letterhead, now: clock.now() }
  return deliver(sending, { to: undefined, id: newId(), words })
}

function resultOf(outcome: Outcome): Result {
  const state = outcome.is === 'retry' || outcome.is === 'down' ? 'dead' : outcome.is
  const error = 'error' in outcome ? outcome.error : 'why' in outcome ? outcome.why : null
  return { state, status: 'status' in outcome ? (outcome.status ?? null) : null, error }
}

const STATUS_OF: Partial<Record<MessageKind, string>> = {
  'topup.requested': 'pending',
  'topup.approved': 'approved',
  'topup.rejected': 'rejected',
}

const Newest = z.pick(MessageRow, { subjectId: true, data: true, goneAfter: true, createdAt: true })

/** The words of the newest event of that kind; of a top-up also of one from before the channel was on. */
async function newestWords(
  services: Services,
  kind: MessageKind,
  now: Date,
  language: Language,
): Promise<Words | undefined> {
  const status = STATUS_OF[kind]
  // A secret link is for its reader alone
  if (kindOf(kind).isAnswer) return undefined
  const newest = await services.db.maybe(
    status === undefined
      ? sql(Newest)`
    select subject_id, data, gone_after, created_at from outbox_messages
     where kind = ${kind} order by created_at desc limit 1`
      : sql(Newest)`
    select id as subject_id, '{}'::jsonb as data, null::timestamptz as gone_after, created_at
      from topup_requests request
     where status = ${status} and ${isListed(sql`request.id`)}
     order by created_at desc limit 1`,
  )
  if (!newest) return undefined
  const message = { id: newId(), kind, userId: null, wasPutOff: false, ...newest }
  const words = await describe(services, message, now, language)
  return 'gone' in words ? undefined : words
}
