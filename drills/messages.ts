/** Messages with every channel broken in turn, and with nodes killed between sending and noting. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql } from '../server/platform/database/database.ts'
import { startSilentServer } from '../test/worlds/mailboxes.ts'
import { ms, percentile, within, type Drill } from './drill.ts'
import { openMessageWorld, until, type MessageBuyer, type MessageWorld } from './message-world.ts'

const PENDING_EACH = 5
/** Three requests within this time get a message each. */
const APART_MS = 5_100
const PHONE_MS_MAX = 2_000
const MAIL_MS_MAX = 5_000
const CALLER_MS_MAX = 1_000
const TWICE_SHARE_MAX = 0.01
/** A lease of two minutes, and the sending after it. */
const DRAIN_MS_MAX = 10 * 60_000

export const drill: Drill = async ({ quick, say, directories }) => {
  const world = await openMessageWorld(quick ? 40 : 1_000, directories)
  say('one at a time, on an idle store')
  const calm = await measureCalm(world, quick ? 3 : 20)
  say('a burst, and nodes are killed')
  const burst = await burstUnderKills(world, quick ? 3 : 50, quick)
  say('broken channels')
  const broken = await breakChannels(world, quick)
  const undone = await world.db.one(sql(z.object({ unspread: z.number(), untold: z.number() }))`
    select (select count(*) from outbox_messages where spread_at is null) as unspread,
           (select count(*)
              from topup_requests request
              left join (select subject_id, kind, count(*) as times from outbox_messages group by 1, 2) told
                     on told.subject_id = request.id and told.kind = 'topup.' || request.status
             where request.status <> 'pending' and told.times is distinct from 1) as untold`)
  await world.close()
  const limit = (value: number) => within(value, { quick })
  return {
    passed:
      calm.phone <= limit(PHONE_MS_MAX) &&
      calm.mail <= limit(MAIL_MS_MAX) &&
      burst.lost === 0 &&
      burst.strange === 0 &&
      burst.twice / burst.wanted <= (quick ? 1 : TWICE_SHARE_MAX) &&
      broken.faults.length === 0 &&
      Math.max(burst.callerMs, broken.callerMs) <= limit(CALLER_MS_MAX) &&
      undone.unspread + undone.untold === 0,
    figures: [
      `from the answer to the phone or chat ${ms(calm.phone)}, to the mail server ${ms(calm.mail)} (both p95)`,
      `${burst.wanted} messages under ${burst.kills} kills of two nodes: lost ${burst.lost}, sent twice ` +
        `${burst.twice} (${((burst.twice / burst.wanted) * 100).toFixed(2)} %), under another id ${burst.strange}; ` +
        `${burst.perSecond.toFixed(0)} a second`,
      `add-money took ${ms(burst.callerMs)} in the burst and ${ms(broken.callerMs)} beside broken channels (both p95)`,
      ...broken.figures,
      ...broken.faults.map((fault) => `FAULT ${fault}`),
      `messages never spread ${undone.unspread}, decisions without exactly one message ${undone.untold}`,
    ],
    proved: 'no message is lost or held up by a channel that hangs, refuses or dies, and no buyer waits for one.',
    cannotProve: 'the push services, mail servers and Telegram of the world: they are stand-ins on this machine.',
  }
}

const p95 = (times: number[]): number => percentile(times, 0.95)
const arrivalAt = ({ push }: MessageWorld, id: string, path: string) =>
  push.arrived.find((arrived) => arrived.path === path && arrived.message['tag'] === `topup.${id}`)?.at

/** One request after the other, far enough apart that none is gathered. */
async function measureCalm(world: MessageWorld, rounds: number): Promise<{ phone: number; mail: number }> {
  const phone: number[] = []
  const mail: number[] = []
  for (let round = 0; round < rounds; round++) {
    const buyer = buyerAt(world, round)
    const chats = world.telegram.sent.length
    const { id } = await world.request(buyer)
    const asked = Date.now()
    await until(() => world.telegram.sent.length > chats, 30_000, 'The chat')
    phone.push((world.telegram.sent.at(-1)?.at ?? 0) - asked)
    const mails = world.mails().length
    const decided = await world.decide(id, 'approve')
    await until(() => arrivalAt(world, id, buyer.path) !== undefined && world.mails().length > mails, 30_000, 'A mail')
    phone.push((arrivalAt(world, id, buyer.path) ?? 0) - decided)
    mail.push((world.mails().at(-1)?.at ?? 0) - decided)
    await sleep(Math.max(0, APART_MS - (Date.now() - asked)))
  }
  return { phone: p95(phone), mail: p95(mail) }
}

const buyerAt = ({ buyers }: MessageWorld, n: number): MessageBuyer => {
  const buyer = buyers[n % buyers.length]
  if (!buyer) throw new Error('No buyer')
  return buyer
}

/** Every buyer asks and is answered, while the node that nobody calls is killed again and again. */
async function burstUnderKills(world: MessageWorld, kills: number, quick: boolean) {
  const began = performance.now()
  const decided: { id: string; path: string }[] = []
  const waits: number[] = []
  const asking = inTurns(world, 6, async (buyer) => {
    for (let n = 0; n < PENDING_EACH; n++) {
      const { id, tookMs } = await world.request(buyer)
      waits.push(tookMs)
      await world.decide(id, n % 2 === 0 ? 'approve' : 'reject')
      decided.push({ id, path: buyer.path })
    }
  })
  const people = { areDone: false }
  const asked = asking.then(() => (people.areDone = true))
  const isWaiting = () => countWaiting(world).then((waiting) => waiting > 0)
  let killed = 0
  for (; killed < kills && (!people.areDone || (await isWaiting())); killed++) {
    const [victim, other] = killed % 2 === 0 ? world.nodes : [world.nodes[1], world.nodes[0]]
    if (!victim || !other) break
    world.callOn(other)
    // The victim answers its calls first, because this is about its messages
    await sleep(500 + Math.random() * 700)
    await world.answeredBy(victim)
    await victim.kill()
    victim.start()
    await victim.untilHealthy()
  }
  await asked
  // A short run does not wait for the leases of the dead
  if (quick) await sleep(2_000).then(() => world.db.run(sql`update outbox_deliveries set leased_until = null`))
  await until(async () => !(await isWaiting()), DRAIN_MS_MAX, 'The last message')
  const seconds = (performance.now() - began) / 1_000
  return {
    kills: killed,
    callerMs: p95(waits),
    ...(await compare(world, decided)),
    perSecond: (decided.length * 2) / seconds,
  }
}

/** Lets so many people work at the same time, each once. */
async function inTurns(world: MessageWorld, atOnce: number, work: (buyer: MessageBuyer) => Promise<void>) {
  const rest = [...world.buyers]
  const person = async () => {
    for (let buyer = rest.pop(); buyer; buyer = rest.pop()) await work(buyer)
  }
  await Promise.all(Array.from({ length: atOnce }, person))
}

function countWaiting({ db }: MessageWorld): Promise<number> {
  return db.count(sql`
    select (select count(*) from outbox_deliveries where state = 'waiting')
         + (select count(*) from outbox_messages where spread_at is null)`)
}

/** Compares the messages with the decisions. */
async function compare(world: MessageWorld, decided: readonly { id: string; path: string }[]) {
  const rows = await world.db.rows(sql(z.object({ id: z.string(), topUp: z.string() }))`
    select id, subject_id as top_up from outbox_messages
     where kind in ('topup.approved', 'topup.rejected')`)
  const idOf = new Map(rows.map(({ id, topUp }) => [topUp, id]))
  const known = new Set(rows.map(({ id }) => id))
  const mails = countBy(world.mails().map(({ id }) => id))
  const pushes = countBy(world.push.arrived.map(({ path, topic }) => `${path} ${topic}`))
  let [lost, twice] = [0, 0]
  for (const { id, path } of decided) {
    const message = idOf.get(id) ?? 'none'
    for (const times of [mails.get(message) ?? 0, pushes.get(`${path} ${message.replaceAll('-', '')}`) ?? 0]) {
      if (times === 0) lost++
      twice += Math.max(0, times - 1)
    }
  }
  return { wanted: decided.length * 2, lost, twice, strange: [...mails.keys()].filter((id) => !known.has(id)).length }
}

function countBy(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

interface Breakage {
  faults: string[]
  figures: string[]
  waits: number[]
}

async function breakChannels(world: MessageWorld, quick: boolean): Promise<Breakage & { callerMs: number }> {
  const found: Breakage = { faults: [], figures: [], waits: [] }
  await breakMail(world, found, quick)
  await breakPush(world, found, quick)
  await breakTelegram(world, found, quick)
  return { ...found, callerMs: p95(found.waits) }
}

/** Decides a request of each of these buyers. @returns how long their phones waited, at most */
async function tell(world: MessageWorld, { waits }: Breakage, buyers: readonly MessageBuyer[]): Promise<number> {
  const delays: number[] = []
  for (const buyer of buyers) {
    const { id, tookMs } = await world.request(buyer)
    waits.push(tookMs)
    const at = await world.decide(id, 'approve')
    await until(() => arrivalAt(world, id, buyer.path) !== undefined, 30_000, 'A phone')
    delays.push((arrivalAt(world, id, buyer.path) ?? 0) - at)
  }
  return Math.max(...delays)
}

const BESIDE_MS_MAX = 5_000
const BACK_MS_MAX = 45_000

async function breakMail(world: MessageWorld, found: Breakage, quick: boolean): Promise<void> {
  const some = world.buyers.slice(0, 10)
  for (const how of ['dead', 'hanging'] as const) {
    const before = world.mails().length
    const { port } = world.mail
    await world.mail.stop()
    const silent = how === 'hanging' ? await startSilentServer(port) : undefined
    const besideMs = await tell(world, found, some)
    await silent?.stop()
    await world.startMail()
    const allThere = () => world.mails().length >= before + some.length
    const backMs = await until(allThere, DRAIN_MS_MAX, 'The mail')
    found.figures.push(
      `mail server ${how}: phones waited ${ms(besideMs)} at most, all ${some.length} mails within ${ms(backMs)} ` +
        'of its return',
    )
    if (besideMs > within(BESIDE_MS_MAX, { quick })) found.faults.push(`A ${how} mail server held up phones`)
    if (backMs > within(BACK_MS_MAX, { quick })) found.faults.push(`Mails came ${ms(backMs)} after the ${how} server`)
  }
}

async function breakPush(world: MessageWorld, found: Breakage, quick: boolean): Promise<void> {
  const [silent, gone, ...others] = world.buyers.slice(10, 20)
  if (!silent || !gone) return
  world.push.moods.set(silent.path, 'silent').set(gone.path, 410)
  for (const buyer of [silent, gone]) await world.decide((await world.request(buyer)).id, 'approve')
  const besideMs = await tell(world, found, others)
  world.push.moods.clear()
  const heard = () => world.push.arrived.filter(({ path }) => path === silent.path).length
  const before = heard()
  await until(() => heard() > before, 60_000, 'The silent phone')
  const kept = await world.db.count(sql`select count(*) from push_subscriptions where user_id = ${gone.id}`)
  found.figures.push(
    `one phone silent, one gone: others waited ${ms(besideMs)} at most, addresses kept of the gone ${kept}`,
  )
  if (besideMs > within(BESIDE_MS_MAX, { quick })) found.faults.push('A silent phone held up others')
  if (kept > 0) found.faults.push('A browser that is gone is still called')
}

const WAIT_S = 10

async function breakTelegram(world: MessageWorld, found: Breakage, quick: boolean): Promise<void> {
  const { telegram, buyers } = world
  // The messages of earlier requests have gone, so that they are not gathered with the next ones
  await sleep(15_500)
  telegram.refuse.set('7', { error_code: 429, description: 'Slow down', parameters: { retry_after: WAIT_S } })
  const chats = telegram.sent.length
  await world.request(buyerAt(world, 21))
  await sleep(2_000)
  telegram.refuse.clear()
  const waitedMs = 2_000 + (await until(() => telegram.sent.length > chats, 60_000, 'The busy chat'))
  telegram.refuse.set('7', { error_code: 403, description: 'Forbidden: bot was blocked by the user' })
  await world.request(buyerAt(world, 22))
  const live = () =>
    world.db.count(sql`select count(*) from telegram_links where revoked_at is null and chat_id is not null`)
  await until(async () => (await live()) === 0, 30_000, 'The end of the blocked chat')
  found.figures.push(
    `Telegram busy for ${WAIT_S} s: told after ${ms(waitedMs)}; a chat that blocked the bot is linked no more`,
  )
  if (waitedMs < WAIT_S * 1_000 - 500 || waitedMs > within(WAIT_S * 1_500, { quick }) + 5_000)
    found.faults.push(`A busy Telegram was asked again after ${ms(waitedMs)}`)
  if (buyers.length < 23) found.faults.push('Too few buyers')
}
