/**
 * The requests of apps that forward SMS, as their sources or their pages publish them, over HTTP. Each carries HDFC's
 * own words, with marks and letters that encodings treat apart.
 */
import { request as open } from 'node:http'
import { expect, test } from 'vitest'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { alertOf, phone } from '../../../test/worlds/phones.ts'
import { nextUtr } from '../../../test/worlds/shop.ts'

const shop = await shopForFile()
const one = await phone(shop)

interface Sms {
  from: string
  text: string
}
interface Sent {
  body: string
  type: string
  headers?: Record<string, string>
  isChunked?: true
}

const AT = 1_795_249_960_000
/** As Apache's and Google's Java libraries escape a text in JSON. */
const byApache = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[^ -~]/g, (letter) => String.raw`\u` + letter.charCodeAt(0).toString(16).padStart(4, '0'))
const byGson = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[<>&='\u2028\u2029]/g, (letter) => String.raw`\u` + letter.charCodeAt(0).toString(16).padStart(4, '0'))

/** SmsForwarder's [content]: sender, text, SIM, time and phone. */
const wrapped = ({ from, text }: Sms) => `${from}\n${text}\nSIM1_Jio_+919812345678\n2026-11-21 14:02:38\nPixel 7`
const form = (fields: Record<string, string>): Sent => ({
  body: new URLSearchParams(fields).toString(),
  type: 'application/x-www-form-urlencoded',
})
const json = (value: unknown): Sent => ({ body: JSON.stringify(value), type: 'application/json' })
const ofFDroid = ({ from, text }: Sms): Sent => ({
  body: [
    '{',
    `  "from":"${from}",`,
    `  "text":"${byApache(text)}",`,
    `  "sentStamp":${AT},`,
    `  "receivedStamp":${AT + 900},`,
    '  "sim":"sim1"',
    '}',
  ].join('\n'),
  type: 'application/json; charset=utf-8',
  headers: { 'user-agent': 'SMS Forwarder App' },
})

const FORMS: Record<string, (sms: Sms) => Sent> = {
  MacroDroid: ({ from, text }) => ({
    body: text,
    type: 'text/plain; charset=utf-8',
    headers: { 'x-alert-sender': from, 'user-agent': 'okhttp/4.12.0' },
  }),
  'Tasker, whose body is text': ({ from, text }) => ({
    body: text,
    type: 'text/plain',
    headers: { 'X-Alert-Sender': from, 'User-Agent': 'Tasker/6.3.13' },
  }),
  'Incoming SMS to URL forwarder': ofFDroid,
  'Incoming SMS to URL forwarder in chunks': (sms) => ({ ...ofFDroid(sms), isChunked: true }),
  'its fork, with its own template': ({ from, text }) => ({
    body: [
      '{',
      '  "messageType":"SMS",',
      ` "from":"${from}",`,
      `  "text":"${byApache(text)}",`,
      `  "sentStamp":${AT},`,
      `  "receivedStamp":${AT},`,
      '  "sim":"sim2",',
      '  "mmsSubject":"",',
      '  "mmsAttachmentType":""',
      '}',
    ].join('\n'),
    type: 'application/json; charset=utf-8',
  }),
  'SmsForwarder, with the body of the guide': ({ from, text }) => form({ from, content: text, timestamp: String(AT) }),
  'SmsForwarder without a body, signed': (sms) =>
    form({ from: sms.from, content: wrapped(sms), timestamp: String(AT), sign: 'c2lnbg%3D%3D' }),
  'SmsForwarder as JSON': ({ from, text }) => ({
    body: `{"from":"${from}","content":"${byGson(text)}","timestamp":"${AT}","title":"SIM1_Jio"}`,
    type: 'application/json; charset=utf-8',
  }),
  'SmsForwarder as JSON, with its [content]': (sms) => ({
    body: `{"from":"${sms.from}","content":"${byGson(wrapped(sms))}","receive_time":"2026-11-21 14:02:38"}`,
    type: 'application/json; charset=utf-8',
  }),
  Shortcuts: ({ from, text }) => ({
    ...json({ text, from }),
    headers: { 'user-agent': 'BackgroundShortcutRunner/3607.0.2 CFNetwork/3826.500.131 Darwin/24.5.0' },
  }),
  'Forward SMS for the iPhone': ({ from, text }) =>
    json({ timestamp: '2026-11-21T08:32:40Z', content: text, sender: from, contact: '' }),
  'Android SMS Webhooks': ({ from, text }) => json({ body: text, from, timestamp: AT }),
}

/** @returns status and body */
const post = ({ body, type, headers, isChunked }: Sent, more: Record<string, string>) =>
  new Promise<[number | undefined, unknown]>((resolve, reject) => {
    const bytes = Buffer.from(body)
    const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.length }
    const sending = open(
      `${shop.store.url}/api/bank/alerts`,
      { method: 'POST', headers: { 'content-type': type, ...length, ...headers, ...more } },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve([answer.statusCode, JSON.parse(Buffer.concat(parts).toString())]))
      },
    ).on('error', reject)
    for (let at = 0; at < bytes.length; at += 100) sending.write(bytes.subarray(at, at + 100))
    sending.end()
  })
const authorised = { authorization: `Bearer ${one.token}` }

test.each(Object.entries(FORMS))('the request of %s is an alert', async (_, sent) => {
  const ref = nextUtr()
  const text = alertOf({ ref, amount: '1,250.50', vpa: 'ravi.k-9@okhdfcbank' })

  expect(await post(sent({ from: 'VM-HDFCBK-S', text }), authorised)).toEqual([200, { outcome: 'credit' }])
  const { credits } = await shop.owner.api.bank.credits({ search: ref })
  expect(credits).toMatchObject([{ amount: 1250.5, refs: [ref], proof: 'alert' }])
})

test.each(Object.entries(FORMS))('the request of %s keeps marks, lines and other letters', async (_, sent) => {
  const ref = nextUtr()
  const text = [
    `HDFC: A/c XX5678 is credited with ₹75.00 by रवि "R&B" 50%=100% \\n + {x}`,
    `UPI Ref No ${ref}. Avl Bal Rs.99.00`,
  ].join('\n')

  expect(await post(sent({ from: 'VM-HDFCBK-S', text }), authorised)).toEqual([200, { outcome: 'proposed' }])
  const { alerts } = await shop.owner.api.bank.unread({ outcome: 'proposed', limit: 100 })
  expect(alerts.map((alert) => alert.text)).toContain(text.replaceAll('\n', ' '))
})

test.each([
  [
    'SMS Gateway for Android, which signs instead',
    (sms: Sms): Sent => ({
      ...json({ deviceId: 'd', event: 'sms:received', payload: { message: sms.text, sender: sms.from, simNumber: 1 } }),
      headers: { 'X-Signature': 'a'.repeat(64), 'X-Timestamp': '1795249960' },
    }),
  ],
  [
    'httpSMS, which has a token of its own',
    (sms: Sms): Sent => ({
      ...json({
        type: 'message.phone.received',
        data: { contact: sms.from, content: sms.text, owner: '+18005550199' },
      }),
      headers: { 'X-Event-Type': 'message.phone.received', Authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' },
    }),
  ],
])('the request of %s is refused, because it cannot carry the phone’s header', async (_, sent) => {
  const [status, body] = await post(sent({ from: 'VM-HDFCBK-S', text: alertOf({}) }), {})
  expect([status, body]).toMatchObject([401, { code: 'DEVICE_TOKEN_INVALID' }])
})
