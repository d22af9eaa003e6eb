/** Which invitations may be paid in a round, and which a job that was alone must have paid or taken back. */
import type { Seen } from './growth-renewal-rules.ts'
import type { GrowthWorld } from './growth-world.ts'

const MIN = 20_000
const REWARD = 2_500
/** With so many taken back an inviter is paused. */
const TAKEN_BACK_MAX = 2

type Invite = GrowthWorld['invites'][number]
type Payment = GrowthWorld['payments'][number]

export function faultsOfInvites(seen: Seen): string[] {
  const { before, after, sents } = seen
  const paid = after.invites.filter(({ outcome }) => outcome === 'paid')
  const faults: string[] = []
  if (after.rewards.length !== 2 * paid.length || after.rewards.some(({ amount }) => amount !== REWARD))
    faults.push(`${paid.length} invitations are paid, and there are ${after.rewards.length} rewards`)
  for (const invite of after.invites) {
    const was = before.invites.find(({ friendId }) => friendId === invite.friendId)
    if (was?.outcome && was.outcome !== invite.outcome)
      faults.push(`${invite.friendId} ended by ${was.outcome} and by ${invite.outcome}`)
    if (was?.outcome !== 'paid' && invite.outcome === 'paid') faults.push(...wronglyPaid(invite, seen))
  }
  const isAlone = sents.every(({ command }) => command.type === 'pay')
  return isAlone && sents.length > 0 ? [...faults, ...undone(seen)] : faults
}

/** The friend's first approved payment of the minimum, also when it was taken back. */
const deciding = ({ payments }: GrowthWorld, friendId: string): Payment | undefined =>
  payments.findLast(
    ({ userId, amount, isApproved, isTakenBack }) =>
      userId === friendId && amount >= MIN && (isApproved || isTakenBack),
  )

const isOfAnother = ({ payments }: GrowthWorld, { userId, payer }: Payment): boolean =>
  payments.some((other) => other.userId !== userId && payer !== null && other.payersEver.includes(payer))

function wronglyPaid({ friendId, topUpId, isSameBrowser }: Invite, { before, after }: Seen): string[] {
  const worlds = [before, after]
  const faults: string[] = []
  if (isSameBrowser) faults.push(`${friendId} was paid for in a browser of another`)
  if (!worlds.some((world) => deciding(world, friendId)?.id === topUpId))
    faults.push(`${friendId} was paid for ${topUpId}, which is not the first payment`)
  const shown = worlds.map(({ payments }) => payments.find(({ id, payer }) => id === topUpId && payer !== null))
  if (!shown.some(Boolean)) faults.push(`${friendId} was paid for, and no statement shows the money`)
  const known = shown[0]
  if (known && isOfAnother(before, known)) faults.push(`${friendId} was paid for by the payer of another`)
  return faults
}

function undone({ before, after }: Seen): string[] {
  const takenBack = after.invites.filter(({ isTakenBack }) => isTakenBack).length
  const faults: string[] = []
  for (const invite of after.invites) {
    const { friendId, outcome, isTakenBack, topUpId } = invite
    const topUp = after.payments.find(({ id }) => id === topUpId)
    if (outcome === 'paid' && topUp?.isTakenBack !== isTakenBack)
      faults.push(`The payment of ${friendId} was taken back: ${topUp?.isTakenBack}, its rewards: ${isTakenBack}`)
    if (outcome !== null) continue
    const payment = deciding(before, friendId)
    if (payment?.isApproved && payment.payer !== null) faults.push(`${friendId} has paid, and the invitation waits`)
  }
  for (const { friendId, outcome, isSameBrowser } of before.invites) {
    const payment = deciding(before, friendId)
    if (outcome !== null || !payment?.isApproved || payment.payer === null) continue
    const counts = !isSameBrowser && !isOfAnother(before, payment) && takenBack < TAKEN_BACK_MAX
    const became = after.invites.find((each) => each.friendId === friendId)?.outcome
    if (counts !== (became === 'paid')) faults.push(`${friendId} counts: ${counts}, and became “${became}”`)
  }
  return faults
}
