import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alertMessage } from './alert-message.ts'
import { WORDINGS } from './wordings.ts'
import { readAlert, type AlertReading } from './read-alert.ts'

const NOW = new Date('2026-11-21T14:02:40+05:30')
const ACCOUNTS = [
  { id: 'one', bank: 'HDFC', tail: '5678' },
  { id: 'other', bank: 'SBI', tail: '4444' },
]
const JSON_TYPE = 'application/json; charset=utf-8'
const FORM = 'application/x-www-form-urlencoded'
const HDFC = WORDINGS.get('HDFC')?.find(({ sample }) => sample.startsWith('Credit Alert!'))

type Sms = { from: string; text: string }
/** How apps forward an SMS: body, type, sender in a header. Raw ones escape nothing. */
const WAYS: Record<string, (sms: Sms) => [body: string, type: string, sender: string]> = {
  'plain text': ({ from, text }) => [text, 'text/plain; charset=utf-8', from],
  'plain text of another type': ({ from, text }) => [text, 'image/png', from],
  'plain text without a type': ({ from, text }) => [text, '', from],
  'plain text as bytes': ({ from, text }) => [text, 'application/octet-stream', from],
  'plain text called JSON': ({ from, text }) => [text, JSON_TYPE, from],
  'plain text called a form': ({ from, text }) => [text, FORM, from],
  'plain text without a sender': ({ text }) => [text, 'text/plain', ''],
  'plain text without a sender or a type': ({ text }) => [text, '', ''],
  'plain text without a sender, as bytes': ({ text }) => [text, 'application/octet-stream', ''],
  JSON: (sms) => [JSON.stringify(sms), JSON_TYPE, ''],
  'JSON of an iPhone': ({ from, text }) => [
    JSON.stringify({ timestamp: '2026-11-21T08:32:40Z', content: text, sender: from, contact: '' }),
    'application/json',
    '',
  ],
  form: ({ from, text }) => [
    new URLSearchParams({ from, content: text, timestamp: '1795249960000' }).toString(),
    FORM,
    '',
  ],
  'JSON of SMS Gateway for Android': ({ from, text }) => [
    JSON.stringify({
      deviceId: 'd',
      event: 'sms:received',
      payload: { messageId: 'abc', message: text, phoneNumber: from, sender: from, simNumber: 1, receivedAt: NOW },
    }),
    'application/json',
    '',
  ],
  'JSON of httpSMS': ({ from, text }) => [
    JSON.stringify({
      specversion: '1.0',
      type: 'message.phone.received',
      data: { contact: from, content: text, owner: '+18005550199', sim: 'SIM1', timestamp: NOW },
    }),
    'application/json',
    '',
  ],
  'raw nested JSON': ({ from, text }) => [`{"payload":{"phoneNumber":"${from}","message":"${text}"}}`, JSON_TYPE, ''],
  'raw JSON with line breaks': ({ from, text }) => [`{"from":"${from}",\n"text":"${text}\n"}`, JSON_TYPE, ''],
  'SmsForwarder, with all that its [content] has': ({ from, text }) => [
    new URLSearchParams({ from, content: `${from}\n${text}\nSIM1_Jio\n2026-11-21 14:02:38\nPixel 7` }).toString(),
    FORM,
    '',
  ],
  'raw JSON, sender first': ({ from, text }) => [`{"from":"${from}","text":"${text}"}`, JSON_TYPE, ''],
  'raw JSON, text first': ({ from, text }) => [`{"msg":"${text}","sender":"${from}"}`, JSON_TYPE, ''],
  'raw form': ({ from, text }) => [`sender=${from}&msg=${text}&timestamp=1`, FORM, ''],
  'raw form, text first': ({ from, text }) => [`content=${text}&from=${from}`, FORM, ''],
}
const way = fc.constantFrom(...Object.values(WAYS))

const bankText = HDFC!.sample
const forged = bankText.replace('632545101877', '632599999999').replace('500.00', '9,000.00')
const pieces = fc.oneof(
  fc.constantFrom('{', '}', '"', '\\', ',', ':', '&', '=', '%22', '%26', ' ', '\n', '","', '"}', '{"x":', '"y":{"z":"'),
  fc.constantFrom('"from":"VM-HDFCBK-S"', '"sender":"HDFCBK"', '"address":"HDFCBK"', String.raw`"\u0066rom":"HDFCBK"`),
  fc.constantFrom('&from=HDFCBK', '&sender=VM-HDFCBK-S', 'from=HDFCBK', '&%66rom=HDFCBK', '&x=', '&text=', '&content='),
  fc.constantFrom('"text":"', forged, `"text":"${forged}"`, `&content=${forged}`),
)
const hostile = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.constantFrom(
    JSON.stringify({ from: 'VM-HDFCBK-S', text: forged }),
    `x","from":"VM-HDFCBK-S","text":"${forged}`,
    `x","from":"VM-HDFCBK-S","text":"${forged}","y":"`,
    `x&from=VM-HDFCBK-S&content=${forged}`,
    `from=VM-HDFCBK-S&content=${forged}`,
    `${forged}","from":"HDFCBK`,
    `${forged}&from=HDFCBK`,
  ),
)
const stranger = fc.constantFrom('+919812345678', '9812345678', 'VM-THIEFX-S', 'HDFC Bank', 'AD-HDFCBK-P')
const told = (sms: Sms, send: (sms: Sms) => [string, string, string]): AlertReading =>
  readAlert(alertMessage(...send(sms)), ACCOUNTS, NOW)

describe('no text of an SMS', () => {
  test('names its own sender, however an app sends it', () => {
    fc.assert(
      fc.property(way, stranger, hostile, (send, from, text) => {
        expect([from, from.replace('+', ' '), '']).toContain(alertMessage(...send({ from, text })).sender)
        expect(['ignored', 'refused']).toContain(told({ from, text }, send).outcome)
      }),
      { numRuns: 10_000 },
    )
  })

  test('takes another reference, sum, or account than the bank’s', () => {
    fc.assert(
      fc.property(way, hostile, fc.constantFrom('+', String.raw`\u0020`), (send, written, space) => {
        const text = bankText.replace('ravi@okaxis', () => written.replaceAll(/\s/g, () => space))
        const reading = told({ from: 'VM-HDFCBK-S', text }, send)

        if (!('credit' in reading)) return
        expect(reading.credit).toMatchObject({ amountPaise: 500_00, accountId: 'one' })
        // A name that ends the message in a careless app's JSON loses the reference, and then nothing is automatic
        expect([['632545101877'], []]).toContainEqual(reading.credit.refs)
      }),
      { numRuns: 10_000 },
    )
  })

  test.each(Object.entries(WAYS).filter(([name]) => !/called|without a sender/.test(name)))(
    'of the bank is lost as %s',
    (_, send) => {
      expect(told({ from: 'VM-HDFCBK-S', text: bankText }, send)).toMatchObject({
        outcome: 'credit',
        credit: { refs: ['632545101877'] },
      })
    },
  )
})
