/**
 * Renewals of ninety days on a clock that the drill moves, and many at one moment in the program as it is sold. Two
 * nodes each, which are killed.
 */
import type { Drill } from './drill.ts'
import { renewAtOnce } from './renewals/at-once.ts'
import { playNinetyDays } from './renewals/ninety-days.ts'

const RENEWALS_MIN = 1_000
/** Each must have been seen, or the days have not asked what they are to ask. */
const REASONS = 'bought, stopped, by-hand, price, stock, money, not-for-sale, account, unused, untold'.split(', ')

export const drill: Drill = async ({ quick, count = quick ? 60 : 1_000, directories, say }) => {
  const played = await playNinetyDays(directories, { buyers: quick ? 30 : 300, ...(quick && { days: 20 }), say })
  const { wrong, ends, ended, kills, days } = played
  const unseen = quick ? [] : REASONS.filter((reason) => ends[reason] === undefined)
  const atOnce = await renewAtOnce(directories, { count, watched: quick ? 10 : 100, killsMin: quick ? 2 : 10 })
  const inWords = Object.entries(ends).map(([reason, times]) => `${reason} ${times}`)
  return {
    passed:
      atOnce.passed && wrong.length === 0 && unseen.length === 0 && (quick || (ended >= RENEWALS_MIN && kills >= 5)),
    figures: [
      `${ended} renewals in ${days} days on two nodes, ${kills} kills: ${inWords.join(', ')}; ` +
        `wrong ${wrong.length === 0 ? 0 : wrong.join(', ')}` +
        (unseen.length === 0 ? '' : `; never seen: ${unseen.join(', ')}`),
      ...atOnce.figures,
    ],
    proved:
      'each renewal becomes one order or ends for one reason; none after a stop, above its limit, untold or twice.',
    cannotProve: 'that the price, the stock and the balance are what the buyer hoped for by then.',
  }
}
