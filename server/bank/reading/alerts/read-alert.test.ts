import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alertMessage } from './alert-message.ts'
import { BANKS } from '../../../../contract/banks.ts'
import { APPS, WORDINGS, type Wording } from './wordings.ts'
import { bankOf, readAlert, type AlertReading } from './read-alert.ts'
import type { AlertAccount } from './read-parts.ts'

const TEMPLATES = [...WORDINGS.values()].flat()
const FOLDER = path.resolve(import.meta.dirname, '../../../../test/bank/alerts')
const NOW = new Date('2026-11-21T14:02:40+05:30')
const account = (tail: string, bank = 'HDFC'): AlertAccount => ({ id: `id ${tail}`, bank, tail })

interface Sample {
  account: string | null
  receivedAt: string
  send: { contentType: string; headers?: Record<string, string>; body: string }
  expect: {
    outcome: string
    reason?: string
    credit?: {
      bank: string
      tail: string | null
      amount: number
      refs: string[]
      day: string
      payerVpa?: string
      payerName?: string
      at?: string
    }
  }
}

const said = (reading: AlertReading) => ('why' in reading ? `${reading.outcome}: ${reading.why}` : reading.outcome)

describe('the alerts of the corpus', () => {
  test.each(readdirSync(FOLDER))('%s is read as expected', (name) => {
    const sample = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as Sample
    const { contentType, headers, body } = sample.send
    const accounts = [account(sample.account ?? '5678', sample.expect.credit?.bank)]

    const reading = readAlert(
      alertMessage(body, contentType, headers?.['x-alert-sender'] ?? ''),
      accounts,
      new Date(sample.receivedAt),
    )

    expect(reading.outcome).toBe(sample.expect.outcome)
    if (sample.expect.reason !== undefined)
      expect(said(reading)).toBe(`${sample.expect.outcome}: ${sample.expect.reason}`)
    const wanted = sample.expect.credit
    if (!wanted || !('credit' in reading)) return expect(wanted).toBeUndefined()
    const { bank, accountId, amountPaise, refs, day } = reading.credit
    expect({ bank, accountId, amount: amountPaise / 100, refs, day }).toEqual({
      bank: wanted.bank,
      accountId: wanted.tail === null ? null : `id ${wanted.tail}`,
      amount: wanted.amount,
      refs: wanted.refs,
      day: wanted.day,
    })
    if (wanted.payerVpa) expect(reading.credit.payerVpa).toBe(wanted.payerVpa)
    if (wanted.payerName) expect(reading.credit.payerName).toBe(wanted.payerName)
    if (wanted.at) expect(reading.credit.at).toEqual(new Date(wanted.at))
  })
})

const isApp = (bank: string) => Object.values(APPS).includes(bank)
const senderOf = (bank: string) =>
  Object.keys(APPS).find((app) => APPS[app] === bank) ?? `VM-${BANKS.find(({ key }) => key === bank)?.senders[0]}-S`
const tailOf = ({ form, sample }: Wording) => form.exec(sample)?.groups?.tail ?? '5678'
const read = (text: string, bank: string, tail: string) =>
  readAlert({ text, sender: senderOf(bank), stampedAt: null }, [account(tail, bank)], NOW)
const withTail = TEMPLATES.filter(({ bank }) => !isApp(bank))

describe('a template', () => {
  test('fits its own sample, and no other bank’s', () => {
    for (const template of TEMPLATES) {
      const { bank, form, sample, tellsReference } = template
      const fitting = TEMPLATES.filter((one) => one.form.test(sample)).map((one) => one.bank)
      expect(new Set(fitting), sample).toEqual(new Set([bank]))
      expect(form.test(sample), sample).toBe(true)
      const told = isApp(bank) ? 'proposed' : 'credit'
      expect(read(sample, bank, tailOf(template)).outcome, sample).toBe(tellsReference ? told : 'hint')
    }
  })

  test('of any amount and reference reads just these', () => {
    const change = fc.record({
      template: fc.constantFrom(
        ...withTail.filter(({ form, sample }) => /^\d{12}$/.test(form.exec(sample)?.groups?.ref ?? '')),
      ),
      paise: fc.integer({ min: 1, max: 9_999_999_99 }),
      ref: fc.stringMatching(/^[1-9]\d{11}$/),
    })
    fc.assert(
      fc.property(change, ({ template, paise, ref }) => {
        const { bank, form, sample } = template
        const { ref: before = '', sum = '' } = form.exec(sample)?.groups ?? {}
        const rupees = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format(paise / 100)
        const text = sample.replace(before, ref).replace(sum, rupees)

        expect(read(text, bank, tailOf(template))).toMatchObject({
          outcome: 'credit',
          credit: { amountPaise: paise, refs: [ref] },
        })
      }),
      { numRuns: 500 },
    )
  })

  test('of an app reads its own reference, also from a payer whose name is a notification', () => {
    const named = TEMPLATES.filter(({ bank, sample }) => isApp(bank) && sample.includes('RAVI KUMAR'))
    expect(named.length).toBeGreaterThan(5)
    for (const { bank, form, sample } of named) {
      const { ref = '' } = form.exec(sample)?.groups ?? {}
      for (const name of named.map((one) => one.sample.replace('₹', 'Rs.').replaceAll(/63\d{10}/g, '699999999999'))) {
        const reading = read(sample.replace('RAVI KUMAR', name), bank, '5678')
        if ('credit' in reading) expect([[], [ref].filter(Boolean)], name).toContainEqual(reading.credit.refs)
      }
    }
  })

  test('with any other tail is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withTail), fc.stringMatching(/^\d{4}$/), (template, tail) => {
        const { bank, sample } = template
        const printed = tailOf(template)
        fc.pre(!tail.endsWith(printed) && !printed.endsWith(tail) && !sample.includes(tail))

        const { outcome } = read(sample, bank, tail)

        expect(outcome, sample).toBe('refused')
      }),
      { numRuns: 500 },
    )
  })

  test('with anything before or behind it is no alert', () => {
    const more = fc.oneof(fc.constantFrom(...withTail.map(({ sample }) => sample)), fc.stringMatching(/^[a-z]{3,20}$/))
    fc.assert(
      fc.property(fc.constantFrom(...withTail), more, fc.boolean(), (template, words, before) => {
        const { bank, sample } = template
        const text = before ? `${words} ${sample}` : `${sample} ${words}`

        expect(read(text, bank, tailOf(template)).outcome).not.toBe('credit')
      }),
      { numRuns: 500 },
    )
  })

  test('with a one-time code in it leaves nothing', () => {
    const words = fc.constantFrom('OTP', 'otp', 'one time password', 'one-time', 'CVV', 'verification code')
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), words, fc.nat(200), (template, word, place) => {
        const { bank, sample } = template
        const at = sample.indexOf(' ', place) < 0 ? sample.length : sample.indexOf(' ', place)

        expect(read(`${sample.slice(0, at)} ${word} 123456 ${sample.slice(at)}`, bank, tailOf(template))).toEqual({
          outcome: 'ignored',
          why: 'not an alert',
        })
      }),
      { numRuns: 500 },
    )
  })
})

describe('a message', () => {
  const hdfc = TEMPLATES.find(({ sample }) => sample.startsWith('Credit Alert!'))
  const text = hdfc!.sample

  test.each([
    ['VM-HDFCBK-S', 'HDFC'],
    ['hdfcbk', 'HDFC'],
    ['AX-HDFCBN-T', 'HDFC'],
    ['AD-HDFCBK-G', 'HDFC'],
    ['AD-HDFCBK-P', undefined],
    ['AD-HDFCBKS', undefined],
    ['HDFCBK-S-S', undefined],
    ['VMX-HDFCBK', undefined],
    ['+919812345678', undefined],
    ['9812345678', undefined],
    ['', undefined],
    ['toString', undefined],
  ])('of %s is of the bank %s', (sender, bank) => {
    expect(bankOf(sender)).toBe(bank)
  })

  test.each([
    ['12/11/2026 8:13:57 PM', 'that may have the month first', '2026-12-11'],
    ['11/30/2026 8:13:57 PM', 'with the month first', '2026-12-11'],
    ['30/11/2026 8:13:57 PM', 'with the day first', '2026-11-30'],
    ['10/12/2026 08:13:57 PM', 'with zeros before its figures', '2026-12-10'],
  ])('of %s, a date %s, is of the day %s', (when, _, day) => {
    const alert = `Your a/c XX4471 is credited Rs. 99.00 from Asha on ${when}.info :UPI/P2A/632514314177 -KVB`
    const now = new Date('2026-12-11T20:15:00+05:30')
    const own = [{ id: 'a', bank: 'Karur Vysya', tail: '4471' }]

    expect(readAlert({ text: alert, sender: 'QP-KVBANK-S', stampedAt: now }, own, now)).toMatchObject({
      form: { moment: { day } },
    })
  })

  test('of another bank’s sender is refused, though its text is right', () => {
    expect(readAlert({ text, sender: 'VM-SBIUPI-S', stampedAt: null }, [account('5678')], NOW).outcome).toBe('refused')
  })

  test.each(['HDFC', 'hdfc bank', 'HDFC Bank Ltd.'])('comes to an account of %s', (bank) => {
    const { outcome } = readAlert({ text, sender: 'HDFCBK', stampedAt: null }, [account('5678', bank)], NOW)
    expect(outcome).toBe('credit')
  })

  test.each(['SBI', 'Karnataka Bank', 'South Indian Bank'])('never comes to an account of %s', (bank) => {
    const reading = readAlert({ text, sender: 'HDFCBK', stampedAt: null }, [account('5678', bank)], NOW)
    expect(said(reading)).toBe('refused: account')
  })

  test('that names two accounts of the store leaves nothing', () => {
    const own = TEMPLATES.find(({ bank }) => bank === 'City Union')!.sample
    const accounts = [account('5555', 'City Union'), account('6666', 'City Union')]

    expect(readAlert({ text: own, sender: 'CUBANK', stampedAt: null }, accounts, NOW).outcome).toBe('ignored')
    expect(readAlert({ text: own, sender: 'CUBANK', stampedAt: null }, accounts.slice(1), NOW)).toMatchObject({
      why: 'debit',
    })
  })

  test('with two digits of two accounts is of neither', () => {
    const iob = TEMPLATES.find(({ bank }) => bank === 'IOB')!.sample
    const accounts = [account('1192', 'IOB'), account('2292', 'IOB')]

    expect(['refused', 'ignored']).toContain(
      readAlert({ text: iob, sender: 'IOBCHN', stampedAt: null }, accounts, NOW).outcome,
    )
    expect(
      readAlert(
        { text: iob, sender: 'IOBCHN', stampedAt: null },
        [account('1192', 'IOB'), account('2291', 'HDFC')],
        NOW,
      ).outcome,
    ).toBe('credit')
  })

  test('with a note like an alert is unread', () => {
    const iob = TEMPLATES.find(({ bank }) => bank === 'IOB')!.sample
    for (const note of ['Rs.9000 credited', 'UPI Ref no 632111111111', 'to a/c 92'])
      expect(read(iob.replace('Paid via app', note), 'IOB', '92').outcome).toBe('unread')
  })

  test('has its own time, else the phone’s, else the store’s', () => {
    const at = (stamp: string | null, text: string) => {
      const reading = readAlert(
        { text, sender: 'HDFCBK', stampedAt: stamp === null ? null : new Date(stamp) },
        [account('5678')],
        NOW,
      )
      return 'credit' in reading ? reading.credit.at?.toISOString() : reading.outcome
    }

    expect(at('2026-11-21T07:00:00Z', text)).toBe('2026-11-21T07:00:00.000Z')
    expect(at('2020-01-01T00:00:00Z', text)).toBe(NOW.toISOString())
    for (const day of ['20-11-26', "20 Nov '26", '20 Nov’26', '20 Nov ‘26'])
      expect(at(null, text.replace('21-11-26', day)), day).toBeUndefined()
    expect(at(null, text.replace('21-11-26', '23-11-26'))).toBe('unread')
    expect(at(null, text.replace('21-11-26', '11-23-26'))).toBe('unread')
  })

  test('of whatever kind never throws', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', ''),
        (body, sender, type) => {
          expect(readAlert(alertMessage(body, type, sender), [account('5678')], NOW).outcome).not.toBe('credit')
        },
      ),
      { numRuns: 2_000 },
    )
    for (const body of [
      '{',
      '[]',
      'null',
      '{"text":{}}',
      '{"text":5,"from":null}',
      '%%%',
      '{"timestamp":"x","text":"a"}',
    ])
      expect(alertMessage(body, 'application/json', '')).toHaveProperty('text')
  })
})
