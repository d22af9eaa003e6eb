/**
 * Renewals of ninety days on a clock that the drill moves, and many at one moment in the program as it is sold. Two
 * nodes each, which are killed. `--control` plants mistakes that the days must notice.
 */
import { renewalBugs } from '../test/model/planted-bugs/renewal-bugs.ts'
import { runControl } from './control.ts'
import type { Drill, DrillOptions, Finding } from './drill.ts'
import { renewAtOnce } from './renewals/at-once.ts'
import { playNinetyDays } from './renewals/ninety-days.ts'

const RENEWALS_MIN = 1_000
/** Each must have been seen, or the days have not asked what they are to ask. */
const REASONS = 'bought, stopped, price, by-hand, stock, money, not-for-sale, account, unused, untold'.split(', ')
/** Few people of twenty days come to these at least. */
const QUICK_REASONS = REASONS.slice(0, 3)

const CONTROL = {
  drill: 'renewals',
  // The days alone
  count: 0,
  // None of their keys is replaced, so no end moves
  bugs: renewalBugs.filter(({ name }) => !name.includes('the second look')),
  wrong: /; wrong (.*?)(?:; never seen: .*)?$/m,
  isWell: '0',
}

export const drill: Drill = (options) => (options.control ? runControl(options, CONTROL) : renewals(options))

async function renewals({ quick, count = quick ? 60 : 1_000, directories, say }: DrillOptions): Promise<Finding> {
  const played = await playNinetyDays(directories, { buyers: quick ? 30 : 220, ...(quick && { days: 20 }), say })
  const { wrong, ends, ended, kills, days } = played
  const unseen = (quick ? QUICK_REASONS : REASONS).filter((reason) => ends[reason] === undefined)
  const manyMore = { count, watched: quick ? 10 : 100, killsMin: quick ? 2 : 10 }
  const atOnce = count === 0 ? undefined : await renewAtOnce(directories, manyMore)
  const inWords = Object.entries(ends).map(([reason, times]) => `${reason} ${times}`)
  return {
    passed:
      atOnce?.passed !== false &&
      wrong.length === 0 &&
      unseen.length === 0 &&
      (quick || (ended >= RENEWALS_MIN && kills >= 5)),
    figures: [
      `${ended} renewals in ${days} days on two nodes, ${kills} kills: ${inWords.join(', ')}; ` +
        `wrong ${wrong.length === 0 ? 0 : wrong.join(', ')}` +
        (unseen.length === 0 ? '' : `; never seen: ${unseen.join(', ')}`),
      ...(atOnce?.figures ?? []),
    ],
    proved:
      'each renewal becomes one order or ends for one reason; none after a stop, above its limit, untold or twice.',
    cannotProve: 'that the price, the stock and the balance are what the buyer hoped for by then.',
  }
}
