/** What may become of renewals in a round, and what a job that was alone must have made of them. */
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import type { GrowthSent, GrowthWorld } from './growth-world.ts'

export interface Seen {
  before: GrowthWorld
  after: GrowthWorld
  sents: readonly GrowthSent[]
  now: number
}

type Renewal = GrowthWorld['renewals'][number]

export function faultsOfRenewals(seen: Seen): string[] {
  const { before, after, sents, now } = seen
  const nextIds = new Set(after.renewals.map(({ nextId }) => nextId))
  const faults = after.orders
    .filter(({ id, isByStore }) => isByStore && !nextIds.has(id))
    .map(({ id }) => `No renewal has bought order ${id}`)
  for (const row of after.renewals) {
    const was = before.renewals.find(({ orderId }) => orderId === row.orderId)
    faults.push(...faultsOfOne(row, was, seen))
  }
  for (const { orderId } of before.renewals)
    if (!after.renewals.some((row) => row.orderId === orderId)) faults.push(`Renewal ${orderId} is gone`)
  // Of two that run at once, either may be the first to take the stock
  const due = before.renewals.filter(({ reason, dueAt }) => reason === null && dueAt <= now)
  const isAlone = sents.every(({ command }) => command.type === 'due') && (sents.length === 1 || due.length === 1)
  return isAlone ? [...faults, ...undone(seen)] : faults
}

function faultsOfOne(row: Renewal, was: Renewal | undefined, { after, sents, now }: Seen): string[] {
  const of = (type: GrowthSent['command']['type']) =>
    sents.filter(({ command, about, answer }) => command.type === type && about === row.orderId && answer.status < 300)
  const [made, stopped] = [of('renew'), of('stop')]
  const faults: string[] = []
  const expect = (isSo: boolean, fault: string) => void (isSo || faults.push(`Renewal ${row.orderId} ${fault}`))
  const isSame = JSON.stringify(row) === JSON.stringify(was)
  if (was?.nextId) expect(isSame, 'was bought, and is another one now')
  if (was?.reason && made.length === 0) expect(isSame, `had ended by ${was.reason}, and is another one now`)
  if (stopped.length > 0 && made.length === 0) {
    expect(stopped.length === 1, 'was stopped twice')
    expect(row.reason === 'stopped', `was stopped, and ended by ${row.reason}`)
  }
  const isNew = row.nextId !== null && was?.nextId !== row.nextId
  if (!isNew) return faults
  const next = after.orders.find(({ id }) => id === row.nextId)
  const caps = [...(was ? [was.max] : []), ...made.map(({ answer }) => Math.round(Number(answer.body.max) * 100))]
  expect(
    (next?.unit ?? Infinity) <= Math.max(...caps),
    `costs ${next?.unit}, and at most ${caps.join(' or ')} was said`,
  )
  expect(row.dueAt <= now, 'was bought before its end')
  expect(!row.isRepeat || (row.toldAt ?? now) + 20 * HOUR_MS <= now, 'was bought untold')
  return faults
}

/** Does by hand what the job has to do, one after the other. @returns where it did something else */
function undone({ before, after, now }: Seen): string[] {
  const shop = { ...before.shop }
  const people = new Map(before.people.map((each) => [each.id, { ...each }]))
  return before.renewals
    .filter(({ reason, dueAt }) => reason === null && dueAt <= now)
    .flatMap((row) => {
      const person = people.get(row.userId)
      const fate = fateOf(row, { world: before, shop, person, now })
      if (fate === 'bought' && person) {
        shop.stock -= row.quantity
        person.balance -= unitOf(shop, row.quantity) * row.quantity
      }
      const is = after.renewals.find(({ orderId }) => orderId === row.orderId)
      const became = is?.reason ?? (is?.heldAt === null ? 'waits' : `held for ${is?.heldWhy}`)
      return became === fate ? [] : [`Renewal ${row.orderId} had to become “${fate}”, and is “${became}”`]
    })
}

const unitOf = ({ price, step }: GrowthWorld['shop'], quantity: number): number =>
  step !== null && quantity >= 2 ? Math.min(price, step) : price

function fateOf(
  row: Renewal,
  {
    world,
    shop,
    person,
    now,
  }: Pick<Seen, 'now'> & {
    world: GrowthWorld
    shop: GrowthWorld['shop']
    person: GrowthWorld['people'][number] | undefined
  },
): string {
  const { userId, quantity, isRepeat, isAuto, dueAt, madeAt, toldAt, heldAt } = row
  const nextIds = new Set(world.renewals.map(({ nextId }) => nextId))
  const isByHand = world.orders.some(
    (order) => order.userId === userId && order.at > madeAt && order.endsAt > now && !nextIds.has(order.id),
  )
  if (isByHand) return 'by-hand'
  const held = heldAt === null ? 'waits' : `held for ${row.heldWhy}`
  if (isRepeat && Math.max(dueAt, (toldAt ?? now) + 20 * HOUR_MS) > now) return held
  if (isAuto && (person?.seenAt ?? 0) <= madeAt) return 'unused'
  const unit = unitOf(shop, quantity)
  const why =
    unit > row.max
      ? 'price'
      : shop.stock < quantity
        ? 'stock'
        : (person?.balance ?? 0) < unit * quantity
          ? 'money'
          : undefined
  if (why === undefined) return 'bought'
  return heldAt !== null && heldAt + DAY_MS <= now ? why : `held for ${why}`
}
