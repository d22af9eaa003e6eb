/** `npx vitest run test/bank/share.test.ts` prints which share of all samples is handled rightly. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { alertMessage } from '../../server/bank/reading/alerts/alert-message.ts'
import { readAlert, type AlertReading } from '../../server/bank/reading/alerts/read-alert.ts'
import { textOfFile } from '../worlds/statement-files.ts'
import { readStatement } from '../worlds/statements.ts'
import { readWording, told, wanted, WORDINGS, WORDINGS_APART, type Wording } from './wordings.ts'

const ROOT = import.meta.dirname
const RIGHT_SHARE = 0.95
/** Of messages that nothing was mended for. */
const RIGHT_SHARE_APART = 0.9

interface Sample {
  account: string | null
  receivedAt: string
  send: { contentType: string; headers?: Record<string, string>; body: string }
  expect: { outcome: string; credit?: { bank: string; tail: string | null; amount: number; refs: string[] } }
}

interface Handled {
  is: AlertReading
  isRight: boolean
}

function forwarded(name: string): Handled {
  const { account, receivedAt, send, expect: want } = json(`alerts/${name}`) as Sample
  const message = alertMessage(send.body, send.contentType, send.headers?.['x-alert-sender'] ?? '')
  const accounts = [{ id: 'own', bank: want.credit?.bank ?? 'HDFC', tail: account ?? '5678' }]
  const is = readAlert(message, accounts, new Date(receivedAt))
  const { amount, refs: [ref] = [] } = want.credit ?? {}
  const right = { outcome: want.outcome, ...(want.credit && { amount, ...(ref !== undefined && { ref }) }) }
  return { is, isRight: isSame(told(is), right) }
}

function readAs(wording: Wording): Handled {
  const is = readWording(wording, new Date(wording.at))
  return { is, isRight: wanted(wording.want).some((right) => isSame(told(is), right)) }
}

const json = (name: string): unknown => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8'))
const isSame = (one: object, other: object): boolean => isDeepStrictEqual(one, other)
const percent = (some: number, all: number): string => `${some} of ${all} right (${((100 * some) / all).toFixed(1)} %)`

test('of all sample messages at least 95 % are handled rightly, and none is wrong money', () => {
  const handled = [...WORDINGS.map(readAs), ...readdirSync(path.join(ROOT, 'alerts')).map(forwarded)]
  const right = handled.filter(({ isRight }) => isRight).length
  const wrong = (outcome: string) => handled.filter(({ is, isRight }) => !isRight && is.outcome === outcome).length
  const [credits, proposals] = [wrong('credit'), wrong('proposed')]

  console.log(
    `messages: ${percent(right, handled.length)}; wrong credits ${credits}, wrong proposals ${proposals}, ` +
      `wrong hints ${wrong('hint')}`,
  )
  expect({ credits, proposals }).toEqual({ credits: 0, proposals: 0 })
  expect(right / handled.length).toBeGreaterThanOrEqual(RIGHT_SHARE)
})

test('of messages kept apart at least 90 % are handled rightly, and none is wrong money', () => {
  const handled = WORDINGS_APART.map((wording) => ({ ...readAs(wording), wording }))
  const right = handled.filter(({ isRight }) => isRight).length
  const wrong = handled.filter(({ is, isRight, wording: { want } }) => {
    const said = told(is)
    if (isRight || !('amount' in said)) return 'ref' in said && said.ref === want.never
    return said.amount !== want.amount || ('ref' in said && said.ref !== want.ref)
  }).length

  console.log(`messages kept apart: ${percent(right, handled.length)}; wrong ${wrong}`)
  expect(wrong).toBe(0)
  expect(right / handled.length).toBeGreaterThanOrEqual(RIGHT_SHARE_APART)
})

test('of all credits in the sample statements at least 95 % are read rightly, and no other', async () => {
  type Credit = { day: string; amount: number; refs: string[]; kind: string }
  type File = { options?: { closingBefore: number }; credits: Credit[] }
  const files = json('statements.expected.json') as Record<string, File>
  let [right, all, other] = [0, 0, 0]
  for (const [name, { credits, options }] of Object.entries(files)) {
    const { text } = await textOfFile(new Blob([readFileSync(path.join(ROOT, 'statements', name))]))
    const { lines } = readStatement(text, options)
    const left = lines
      .filter(({ direction }) => direction === 'credit')
      .map(({ day, amountPaise, refs, kind }) => JSON.stringify([day, amountPaise, refs, kind]))
    for (const { day, amount, refs, kind } of credits) {
      const at = left.indexOf(JSON.stringify([day, Math.round(amount * 100), refs, kind]))
      if (at >= 0) left.splice(at, 1)
      right += Number(at >= 0)
      all += 1
    }
    other += left.length
  }

  console.log(`credits in statements: ${percent(right, all)}; wrong credits ${other}`)
  expect(other).toBe(0)
  expect(right / all).toBeGreaterThanOrEqual(RIGHT_SHARE)
})
