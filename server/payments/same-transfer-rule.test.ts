import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withDatabase } from '../../test/database.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql } from '../platform/database/database.ts'
import { claimsOf, isClaimed } from './same-transfer.ts'

const NOW = new Date(TEST_NOW)

/** The digits that an eye takes each letter for. */
const ALIKE: Record<string, string> = Object.fromEntries(
  'A4 B86 D0 E3 G69 I1 J1 L1 O0 Q09 S5 T71 Y7 Z2'.split(' ').map((each) => [each.slice(0, 1), each.slice(1)]),
)
const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

function digitOf(letter: string, nth: number): string {
  const digits = ALIKE[letter] ?? letter
  return digits[nth] ?? digits[0] ?? ''
}

/** Decides as same-transfer.ts does, without an index. */
function isOneTransfer(a: string, b: string): boolean {
  const seven = (text: string) => text.replaceAll(/[OILSBZG]/g, (letter) => '0115826'['OILSBZG'.indexOf(letter)] ?? '')
  const all = (text: string) => [0, 1].map((nth) => Array.from(text, (letter) => digitOf(letter, nth)).join(''))
  const readingsOf = (utr: string) => {
    const [bank, rest] = [utr.slice(0, 4), utr.slice(4)]
    const roundAndStraight = rest.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
    const anywhere = [seven(utr), ...all(utr)]
    const digits = [
      utr,
      bank + roundAndStraight,
      bank + seven(rest),
      ...all(rest).map((one) => bank + one),
      ...anywhere,
    ]
      .map((reading) => reading.replaceAll(/\D/g, ''))
      .filter((reading) => reading.length >= 6)
    return [...digits, ...anywhere.filter((reading) => reading.replaceAll(/\D/g, '').length < 6)]
  }
  const isIn = (end: string, whole: string) =>
    end.slice(-12) === whole || (/^\d{12,}$/.test(whole) && /^\d{12,}$/.test(end) && whole.includes(end.slice(-12)))
  return readingsOf(a).some((one) => readingsOf(b).some((other) => isIn(one, other) || isIn(other, one)))
}

test('the database joins the same pairs of references as the rule in plain words', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db)
    const text = (from: string, least: number, most: number) =>
      fc.string({ unit: fc.constantFrom(...Array.from(from)), minLength: least, maxLength: most })
    const reference = fc.oneof(
      text('0123456789', 12, 12),
      fc.tuple(fc.constantFrom('SBIN', 'HDFC', 'BARBS', 'N'), text('0158', 12, 16)).map((parts) => parts.join('')),
      text('01258OILSBZGAX', 8, 20),
    )
    const disguised = reference.chain((utr) =>
      fc
        .array(fc.nat(3), { minLength: utr.length, maxLength: utr.length })
        .map((dice) =>
          Array.from(utr, (each, at) =>
            dice[at] === 0 ? ({ 0: 'O', 1: 'L', 3: 'E', 4: 'A', 5: 'S', 7: 'Y', 8: 'B', 9: 'Q' }[each] ?? each) : each,
          ),
        )
        .map((written) => [utr, written.join('')]),
    )
    const pairs = fc.sample(fc.oneof(fc.tuple(reference, reference), disguised), { numRuns: 1_500, seed: 7 })
    await db.run(sql`
      insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, created_at, status, decided_at)
      select gen_random_uuid(), ${buyer}, 100, 100, utr, n, ${NOW}, 'rejected', ${NOW}
        from unnest(${pairs.map(([, written]) => written)}::text[]) with ordinality as pair (utr, n)`)

    const joined = await db.rows(sql(z.object({ isOne: z.boolean() }))`
      select ${isClaimed(sql`pair.utr`, sql`claim.phone = pair.n::text`)} as "isOne"
        from unnest(${pairs.map(([utr]) => utr)}::text[]) with ordinality as pair (utr, n)
       order by n`)

    const expected = pairs.map(([a = '', b = '']) => isOneTransfer(a, b))
    expect(expected.filter(Boolean).length).toBeGreaterThan(500)
    for (const [n, { isOne }] of joined.entries()) expect(isOne, pairs[n]?.join(' and ')).toBe(expected[n])
  }))

test('a letter that passes for a digit makes no other transfer of it, for all letters', () =>
  withDatabase(async (db) => {
    const pairs = LETTERS.flatMap((letter) =>
      Array.from({ length: 12 }, (_, at) => at).flatMap((at) =>
        Array.from(ALIKE[letter] ?? '', (digit) => {
          const honest = `6325451${String(at).padStart(2, '0')}877`
          const utr = `${honest.slice(0, at)}${digit}${honest.slice(at + 1)}`
          // Two more, each like one digit
          const written = `${utr.slice(0, at)}${letter}${utr.slice(at + 1)}`.replace('5', 'S').replace('4', 'A')
          return [utr, written] as const
        }),
      ),
    )
    const joined = await db.rows(sql(z.object({ isOne: z.boolean() }))`
      select reference_numbers(utr) && reference_ends(written) as "isOne"
        from unnest(${pairs.map(([utr]) => utr)}::text[], ${pairs.map(([, written]) => written)}::text[])
             with ordinality as pair (utr, written, n)
       order by n`)
    for (const [n, { isOne }] of joined.entries()) expect(isOne, pairs[n]?.join(' and ')).toBe(true)
    expect(pairs.length).toBeGreaterThan(200)
    // What no eye takes for a digit
    expect(LETTERS.filter((letter) => !(letter in ALIKE)).join('')).toBe('CFHKMNPRUVWX')
  }))

// Seen to fail with `exists` in same-transfer.ts instead of a count: the planner reads the whole table.
test('whose transfer a reference names is found in indexes, however it is written', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db)
    await db.run(sql`
      insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, created_at)
      select gen_random_uuid(), ${buyer}, 10000, 10000,
             case when n % 10 = 0 then 'UTIBN52026112' || 10000000 + n else (400000000000 + n)::text end, '9876543210',
             ${NOW}
        from generate_series(1, 4000) as n`)
    await db.transaction(async (tx) => {
      // Needs the owner, because the store's own role may not do it
      await tx.run(sql`set local role none`)
      await tx.run(sql`analyze topup_requests`)
    })
    for (const utr of ['SBIN4123456789O1', 'UTIBN5202611299999999', 'AB12CD34']) {
      const asked = [sql`${utr}::text`, sql`claim.status in ('pending', 'approved')`] as const
      for (const statement of [sql`select ${isClaimed(...asked)}`, claimsOf(...asked)]) {
        const lines = await db.rows(sql(z.object({ 'QUERY PLAN': z.string() }))`explain ${statement}`)
        const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
        expect(plan.match(/Index Cond/g)).toHaveLength(3)
        expect(plan).not.toContain('Seq Scan')
      }
    }
  }))
