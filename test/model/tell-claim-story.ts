/**
 * Tells one story of claims. After each round every invariant holds, each claim was answered once at the most, refunds
 * are what their rule gives and went back to the end of what the purchase took, and a recalled batch has no stock.
 */
import { DAY_MS } from '../../contract/time.ts'
import { newId, newToken } from '../../server/platform/ids.ts'
import { CLAIM_KEYS, type ClaimCommand, type ClaimStory } from './claim-commands.ts'
import { readClaimWorld, type ClaimWorld } from './claim-world.ts'
import { USERS, type Answer, type Request } from './commands.ts'
import { PASSWORD, type Cookies, type TwoNodes } from './two-nodes.ts'
import type { Told } from './tell-story.ts'

const BUSY = 503
const PRICE = 3_333
const DURATION = '10 Days'
const WHOLE_MS = 10 * DAY_MS
/** Rupees and days. A purchase of two keys takes from both. */
const CREDIT = [
  [40, 40],
  [30, 60],
  [900, null],
] as const
const usernames = Array.from({ length: USERS }, (_, user) => `buyer-${user}`)
const textOf = (key: number): string => `CLAIM-KEY-${key}`

interface Scene {
  store: TwoNodes
  productId: string
  userIds: string[]
  jars: Cookies[]
  world: ClaimWorld
  /** The answers that ended a claim, by its id. */
  ended: Map<string, string[]>
  /** Batches whose recall was acknowledged. */
  recalled: Set<string>
}

interface Sent {
  command: ClaimCommand
  /** The claim or the batch that it is about. */
  about: string
  answer: Pick<Answer, 'status' | 'body'>
}

/** @throws Error that says which round cannot be, and why */
export async function tellClaimStory(store: TwoNodes, { claimRounds }: ClaimStory): Promise<Told> {
  const scene = await open(store)
  const told: Told = { operations: 0, rounds: 0, busyRounds: 0 }
  for (const [index, round] of claimRounds.entries()) {
    if (round.advanceMs > 0) await store.advance(round.advanceMs)
    const sents = await Promise.all(round.commands.map((command, nth) => act(scene, command, nth)))
    told.operations += sents.length
    told.rounds += 1
    if (sents.some(({ answer }) => answer.status === BUSY)) {
      told.busyRounds += 1
      await store.settled()
      return told
    }
    for (const sent of sents) note(scene, sent)
    scene.world = await readClaimWorld(store.db)
    const faults = [
      ...sents.filter(({ answer }) => answer.status >= 500).map(() => 'An answer is a 5xx'),
      ...(await store.broken()),
      ...sents.flatMap((sent) => misjudged(sent)),
      ...faultsOf(scene),
    ]
    if (faults.length > 0) throw new Error(report(index, sents, faults))
  }
  return told
}

async function open(store: TwoNodes): Promise<Scene> {
  const places = [{ productName: 'Game of claims', duration: DURATION, amount: PRICE }]
  const seeded = await store.seed({ usernames, places, plans: [], referrals: [], vouchers: [], validityDays: null })
  const [productId = ''] = seeded.productIds
  const jars = await logInAll(store, usernames)
  for (const userId of seeded.userIds)
    for (const [balance, expiresInDays] of CREDIT) {
      const body = { balance, expiresInDays }
      await store.send(0, { method: 'PUT', path: `/admin/users/${userId}/custom-prices`, body, by: 'admin' }, {})
    }
  const scene: Scene = {
    store,
    productId,
    userIds: seeded.userIds,
    jars,
    world: await readClaimWorld(store.db),
    ended: new Map(),
    recalled: new Set(),
  }
  for (const [nth, keys] of [
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8],
  ].entries())
    await act(scene, { type: 'addKeys', keys }, nth)
  await Promise.all(usernames.map((_, user) => act(scene, { type: 'buy', user, quantity: 2 }, user)))
  scene.world = await readClaimWorld(store.db)
  return scene
}

/** @returns the cookies of each, on a device of its own */
export const logInAll = (store: TwoNodes, names: readonly string[]): Promise<Cookies[]> =>
  Promise.all(
    names.map(async (username): Promise<Cookies> => {
      const device = newToken()
      const body = { username, password: PASSWORD }
      const { session } = await store.send(0, { method: 'POST', path: '/auth/login', body, by: 'user' }, { device })
      return { device, session }
    }),
  )

async function act(scene: Scene, command: ClaimCommand, nth: number): Promise<Sent> {
  const { request, about, user } = requestOf(scene, command)
  const { status, body } = await scene.store.send(nth, request, user === undefined ? {} : (scene.jars[user] ?? {}))
  return { command, about, answer: { status, body } }
}

function requestOf(
  { world, productId, userIds }: Scene,
  command: ClaimCommand,
): { request: Request; about: string; user?: number } {
  const claim = 'claim' in command ? world.claims[command.claim % Math.max(1, world.claims.length)] : undefined
  const about = claim?.id ?? newId()
  switch (command.type) {
    case 'buy': {
      const body = { productId, duration: DURATION, quantity: command.quantity }
      return { request: { method: 'POST', path: '/keys/buy', body, by: 'user' }, about, user: command.user }
    }
    case 'addKeys': {
      const body = { productId, duration: DURATION, keys: command.keys.map((key) => textOf(key % CLAIM_KEYS)) }
      return { request: { method: 'POST', path: '/keys/bulk', body, by: 'admin' }, about }
    }
    case 'claim': {
      const own = world.keys.filter(({ userId }) => userId === userIds[command.user])
      const keyId = own[command.key % Math.max(1, own.length)]?.id ?? newId()
      const body = { keyId, reason: command.reason }
      return { request: { method: 'POST', path: '/claims', body, by: 'user' }, about, user: command.user }
    }
    case 'withdraw': {
      const user = Math.max(0, userIds.indexOf(claim?.userId ?? ''))
      return { request: { method: 'POST', path: `/claims/${about}/withdraw`, by: 'user' }, about, user }
    }
    case 'replace':
      return { request: { method: 'PUT', path: `/claims/${about}/replace`, body: {}, by: 'admin' }, about }
    case 'reject':
      return {
        request: { method: 'PUT', path: `/claims/${about}/reject`, body: { answer: 'No.' }, by: 'admin' },
        about,
      }
    case 'refund': {
      const expected = claim === undefined ? 1 : (command.rule === 'full' ? claim.unit : unusedOf(claim)) / 100
      const body = { rule: command.rule, expected }
      return { request: { method: 'PUT', path: `/claims/${about}/refund`, body, by: 'admin' }, about }
    }
    case 'recall':
    case 'answerAll':
      break
  }
  const batchId = world.batches[command.batch % Math.max(1, world.batches.length)]?.id ?? newId()
  const what = command.type === 'recall' ? 'recall' : 'answer'
  const body = command.type === 'recall' ? { note: 'Bad', openClaims: true } : { do: command.do, answer: 'Sorry.' }
  return { request: { method: 'POST', path: `/keys/batches/${batchId}/${what}`, body, by: 'admin' }, about: batchId }
}

/** Of a claim's key, at the moment of the report. */
const unusedOf = ({ unit, leftMs }: { unit: number; leftMs: number }): number =>
  Number((BigInt(unit) * BigInt(Math.min(leftMs, WHOLE_MS))) / BigInt(WHOLE_MS))

function note(scene: Scene, { command: { type }, about, answer }: Sent): void {
  if (answer.status >= 300) return
  if (['withdraw', 'replace', 'reject', 'refund'].includes(type))
    scene.ended.set(about, [...(scene.ended.get(about) ?? []), type])
  if (type === 'recall') scene.recalled.add(about)
}

/** The sum that was sent is right for as long as the claim is open. */
function misjudged({ command: { type }, answer }: Sent): string[] {
  return type === 'refund' && answer.body.code === 'AMOUNT_CHANGED' ? ['A right sum was refused'] : []
}

const ENDS: Record<string, string> = {
  withdraw: 'withdrawn',
  replace: 'replaced',
  reject: 'rejected',
  refund: 'refunded',
}

function faultsOf({ world, ended, recalled }: Scene): string[] {
  const faults: string[] = []
  for (const [id, ends] of ended) {
    const claim = world.claims.find((each) => each.id === id)
    if (ends.length > 1) faults.push(`Claim ${id} was answered twice: ${ends.join(', ')}`)
    if (claim?.status !== ENDS[ends[0] ?? '']) faults.push(`Claim ${id} was ${ends[0]}, and is ${claim?.status}`)
  }
  for (const claim of world.claims) {
    const { id, refund, rule, unit } = claim
    const right = rule === 'full' ? unit : rule === 'unused' ? unusedOf(claim) : null
    if (refund !== right) faults.push(`Claim ${id} gave ${refund} by ${rule}, not ${right}`)
  }
  for (const { id, userId, batchId } of world.keys)
    if (userId === null && batchId !== null && recalled.has(batchId)) faults.push(`Key ${id} is recalled and in stock`)
  for (const orderId of new Set(world.shares.map((share) => share.orderId)))
    faults.push(...misplaced(world.shares.filter((share) => share.orderId === orderId)))
  return faults
}

/** Refunds fill up what the purchase took, from its end. */
function misplaced(shares: ClaimWorld['shares']): string[] {
  const taken = shares.filter(({ isRefund }) => !isRefund)
  const given = new Map<string, number>()
  for (const { lotId, amount, isRefund } of shares) if (isRefund) given.set(lotId, (given.get(lotId) ?? 0) + amount)
  let left = [...given.values()].reduce((sum, amount) => sum + amount, 0)
  const faults: string[] = []
  for (const { lotId, amount, orderId } of taken.toReversed()) {
    const right = Math.min(amount, left)
    left -= right
    if ((given.get(lotId) ?? 0) !== right)
      faults.push(`Order ${orderId}: lot ${lotId} got back ${given.get(lotId) ?? 0}, not ${right}`)
  }
  return faults
}

function report(index: number, sents: readonly Sent[], faults: readonly string[]): string {
  const lines = sents.map(({ command, answer }, nth) => {
    return `  ${nth + 1}. ${JSON.stringify(command)} → ${answer.status} ${JSON.stringify(answer.body)}`
  })
  return [
    `Claim round ${index + 1} cannot be. Answers:`,
    ...lines,
    'What is wrong:',
    ...faults.map((fault) => `  ${fault}`),
  ].join('\n')
}
