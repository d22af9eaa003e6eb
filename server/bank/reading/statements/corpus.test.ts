import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { optionsOf, readStatement } from '../../../../test/worlds/statements.ts'
import { readStatementInTurns } from './read-statement.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../../test/bank')

interface Expected {
  bank: string | null
  tail: string | null
  balances: string
  brokenAt?: number[]
  swapped?: boolean
  debits: number
  problems?: string[]
  options?: { closingBefore: number }
  credits: {
    day: string
    amount: number
    refs: string[]
    kind: string
    at?: string
    payerVpa?: string
    proof?: string
    note?: string
  }[]
}

/** The text that the browser makes of a file. */
function textOf(name: string): string {
  const file = readFileSync(path.join(FOLDER, 'statements', name))
  return new TextDecoder(file[0] === 0xff ? 'utf-16le' : 'utf-8').decode(file)
}

const expected = JSON.parse(readFileSync(path.join(FOLDER, 'statements.expected.json'), 'utf8')) as Record<
  string,
  Expected
>
const files = readdirSync(path.join(FOLDER, 'statements'))

describe('the statements of the corpus', () => {
  test('are all expected', () => {
    expect(files.toSorted()).toEqual(Object.keys(expected).toSorted())
  })

  test.each(files.filter((name) => !name.endsWith('.xlsx')))('%s is read as expected', async (name) => {
    const wanted = expected[name]!

    const statement = readStatement(textOf(name), wanted.options)

    expect(statement).toMatchObject({
      bank: wanted.bank,
      tail: wanted.tail,
      balances: wanted.balances,
      swapped: wanted.swapped ?? false,
      brokenAt: wanted.brokenAt?.[0] ?? null,
    })
    expect(statement.problems).toHaveLength(wanted.problems?.length ?? 0)
    expect(statement.lines.filter(({ direction }) => direction === 'debit')).toHaveLength(wanted.debits)
    const credits = statement.lines.filter(({ direction }) => direction === 'credit')
    expect(credits.map(({ day, amountPaise, refs, kind }) => ({ day, amount: amountPaise / 100, refs, kind }))).toEqual(
      wanted.credits.map(({ day, amount, refs, kind }) => ({ day, amount, refs, kind })),
    )
    for (const [index, { payerVpa, at, proof }] of wanted.credits.entries()) {
      if (payerVpa) expect(credits[index]?.payerVpa).toBe(payerVpa)
      if (proof) expect(credits[index]?.proof).toBe(proof)
      if (at) expect(credits[index]?.at).toEqual(new Date(at))
    }
    expect(await readStatementInTurns(textOf(name), optionsOf(wanted.options ?? {}))).toEqual(statement)
  })
})
