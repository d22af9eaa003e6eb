/**
 * Sends what waits in the outbox, on every node. Of one target it sends one message at a time, and of all targets
 * eight, so a server that hangs delays only its own. What takes long leaves its place to others.
 */
import { KIND_NAMES, type Channel } from '../../contract/message-kinds.ts'
import {
  LEASE_MS,
  renewLease,
  settleDelivery,
  spreadMessages,
  takeDeliveries,
  type OutboxDelivery,
  type Outcome,
} from '../platform/outbox.ts'
import { OutboundRefused } from '../platform/outbound.ts'
import type { Services } from '../platform/services.ts'
import { readLetterhead } from '../settings/site-name.ts'
import { noteChannel, readChannels } from './channels/channels.ts'
import { sendEmail } from './channels/email.ts'
import { sendPush } from './channels/push.ts'
import { askingOf } from './telegram/decide-by-telegram.ts'
import type { Reach } from './channels/reach.ts'
import { planMessage, reachedBy, reachedSince } from './spread.ts'
import { sendTelegram, type Asking } from './telegram/telegram.ts'
import { tellDecidedChats } from './telegram/telegram-notes.ts'
import type { Words } from './words/wording.ts'
import { describe, readersLanguage } from './words.ts'

/** Sent at once in all, and by one channel. One that hangs so leaves room for the others. */
const AT_ONCE = 8
const OF_A_CHANNEL = 4
/** What takes longer leaves its place to others, up to this many. A mail server may think for minutes. */
const SLOW_AFTER_MS = 5_000
const SLOW_AT_ONCE = 32
const LOOK_INTERVAL_MS = 1_000
const IDLE_INTERVAL_MS = 10_000

interface Sender {
  /** Makes deliveries of new messages and begins to send what is due. @returns how many of both it took on */
  look(): Promise<number>
  /** What is being sent now. */
  running: ReadonlySet<Promise<void>>
  isIdle(): boolean
}

/** @returns a function that lets the lease run out */
function keepLease({ db, clock }: Services, delivery: OutboxDelivery): () => void {
  const renew = () => void renewLease(db, delivery, clock.now()).catch(() => {})
  const renewing = setInterval(renew, LEASE_MS / 4).unref()
  return () => clearInterval(renewing)
}

function createSender(services: Services, reach: Reach): Sender {
  const { db, clock } = services
  const running = new Set<Promise<void>>()
  const ofChannel = new Map<Channel, number>()
  let slow = 0
  /** When a channel that does not work is tried again. */
  const downUntil = new Map<Channel, Date>()
  let on: Channel[] = []
  let isEditing = false

  async function settle(delivery: OutboxDelivery, channel: Channel): Promise<void> {
    const letGo = keepLease(services, delivery)
    try {
      const probeAfterMs = await send(services, reach, delivery)
      if (probeAfterMs === undefined) downUntil.delete(channel)
      else downUntil.set(channel, new Date(clock.now().getTime() + probeAfterMs))
    } catch {
      // A result that could not be noted is sent again when its lease has run out
    } finally {
      letGo()
    }
  }

  const count = (channel: Channel, more: number) => ofChannel.set(channel, (ofChannel.get(channel) ?? 0) + more)
  const quick = () => [...ofChannel.values()].reduce((sum, each) => sum + each, 0)

  function begin(delivery: OutboxDelivery): void {
    const channel = delivery.channel as Channel
    let isSlow = false
    count(channel, 1)
    const turnsSlow = setTimeout(() => {
      if (slow >= SLOW_AT_ONCE) return
      isSlow = true
      slow += 1
      count(channel, -1)
    }, SLOW_AFTER_MS).unref()
    const sending = settle(delivery, channel)
    running.add(sending)
    void sending.then(() => {
      clearTimeout(turnsSlow)
      if (isSlow) slow -= 1
      else count(channel, -1)
      return running.delete(sending)
    })
  }

  /** Beside what is sent, because nobody waits for it. */
  function editChats(): void {
    if (isEditing) return
    isEditing = true
    const editing = tellDecidedChats(services, reach)
      .catch(() => {})
      .finally(() => (isEditing = false))
    running.add(editing)
    void editing.then(() => running.delete(editing))
  }

  return {
    running,
    isIdle: () => on.length === 0,
    async look() {
      on = (await readChannels(db)).filter(({ isOn }) => isOn).map(({ name }) => name)
      if (on.length === 0) return 0
      const now = clock.now()
      const spread = await spreadMessages(db, now, (tx, message, gather) => planMessage(tx, message, gather, now))
      if (on.includes('telegram') && (downUntil.get('telegram') ?? now) <= now) editChats()
      let begun = 0
      for (const channel of on) {
        if ((downUntil.get(channel) ?? now) > now) continue
        const most = Math.min(AT_ONCE - quick(), OF_A_CHANNEL - (ofChannel.get(channel) ?? 0))
        if (most <= 0) continue
        const taken = await takeDeliveries(db, { channel, kinds: KIND_NAMES, most, now })
        taken.forEach(begin)
        begun += taken.length
      }
      return begun + spread
    },
  }
}

/**
 * Sends until the store ends.
 * @param onError gets what went wrong with the queue itself
 * @returns resolves when nothing is being sent any more
 */
export async function startMessages(
  services: Services,
  reach: Reach,
  onError: (error: unknown) => void,
): Promise<void> {
  const { events, ended: signal } = services
  const sender = createSender(services, reach)
  let wake = () => {}
  signal.addEventListener('abort', () => wake(), { once: true })
  const stopListening = events.subscribe(({ name }) => {
    if (name === 'settings' || (name === 'payment' && !sender.isIdle())) wake()
  })
  while (!signal.aborted) {
    const woken = new Promise<void>((resolve) => (wake = resolve))
    // The database may be away. The next look tries again
    const tookOn = await sender.look().catch((error: unknown) => onError(error))
    const pause = sender.isIdle() ? IDLE_INTERVAL_MS : LOOK_INTERVAL_MS
    const timer = setTimeout(wake, pause).unref()
    await Promise.race([woken, ...(tookOn ? sender.running : [])])
    clearTimeout(timer)
  }
  stopListening()
  await Promise.all(sender.running)
}

/** Sends all that is due now. */
export async function sendDue(services: Services, reach: Reach): Promise<void> {
  const sender = createSender(services, reach)
  while ((await sender.look()) > 0) await Promise.all(sender.running)
  await Promise.all(sender.running)
}

/** @returns after how many ms the channel is to be probed, if it does not work */
async function send(services: Services, reach: Reach, delivery: OutboxDelivery): Promise<number | undefined> {
  const { db, clock } = services
  const channel = delivery.channel as Channel
  const outcome = await attempt(services, reach, delivery).catch((error: unknown) => failureOf(channel, error))
  await settleDelivery(db, delivery, outcome, clock.now())
  if (outcome.is === 'down') await noteChannel(db, channel, outcome.error, clock.now())
  else if (outcome.is === 'sent') await noteChannel(db, channel, null, clock.now())
  // The one mail server of all mails broke off. A refusal has a status, and is about this mail
  else if (channel === 'email' && outcome.is === 'retry' && outcome.status === undefined)
    await noteChannel(db, channel, outcome.error, clock.now())
  return outcome.is === 'down' && channel !== 'push' ? outcome.probeAfterMs : undefined
}

async function attempt(services: Services, reach: Reach, delivery: OutboxDelivery): Promise<Outcome> {
  const { db, clock } = services
  if (delivery.goneAfter && delivery.goneAfter <= clock.now()) return { is: 'dropped', why: 'Too late' }
  const kind = KIND_NAMES.find((each) => each === delivery.kind)
  if (!kind) throw new Error(`Took ${delivery.kind}, which this version does not know`)
  const reached = await reachedBy(db, { ...delivery, kind, channel: delivery.channel as Channel }, clock.now())
  if (!reached.includes(delivery.target)) return { is: 'dropped', why: 'No longer wanted here' }
  const words = await describe(services, delivery, clock.now(), await readersLanguage(db, delivery))
  if ('gone' in words) return { is: 'dropped', why: words.gone }
  return sendBy(services, reach, delivery, words, askingOf(db, delivery, clock))
}

/** Sends the words by the delivery's channel. */
export async function sendBy(
  { db, sealer, clock, ended }: Services,
  reach: Reach,
  {
    channel,
    target,
    id,
    kind,
    createdAt,
  }: Pick<OutboxDelivery, 'channel' | 'target' | 'id' | 'kind'> & { createdAt?: Date },
  words: Words,
  asking?: Asking,
): Promise<Outcome> {
  const sending = { db, sealer, ended, now: clock.now(), ...reach }
  const since = reachedSince(kind, createdAt)
  if (channel === 'push') return sendPush(sending, target, words, { id, since })
  if (channel === 'telegram') return sendTelegram(sending, target, words, { asking, since })
  return sendEmail({ ...sending, letterhead: await readLetterhead(db) }, { target, id, kind }, words)
}

const PROBE_MS = 15_000
/** Codes for a server that is not there, or no network. They come at once, and hold for all messages to that server. */
const NOBODY_THERE = ['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EAI_AGAIN']

/**
 * A channel's one server that does not answer is no try. A push address that hangs is one, because each is its own
 * server. An address that the store does not call will never be called.
 */
export function failureOf(channel: Channel, thrown: unknown): Outcome {
  const error = thrown instanceof Error ? thrown.message : String(thrown)
  if (thrown instanceof OutboundRefused) return { is: 'dead', error }
  const { code } = thrown as NodeJS.ErrnoException
  if (channel === 'push' && !(code !== undefined && NOBODY_THERE.includes(code))) return { is: 'retry', error }
  return { is: 'down', error, probeAfterMs: PROBE_MS }
}
