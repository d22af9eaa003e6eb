/** Makes an example for a schema of the contract from the field's name, its unit and its type. */
type Json = Record<string, unknown>

const ID = '0199c1f0-7a5b-7c3d-9e2f-1a2b3c4d5e6f'
const MOMENT = '2026-11-20T15:44:00.000Z'

/** Examples for fields whose text has a special form. */
const TEXTS: Record<string, string> = {
  action: 'payment.approve',
  address: '203.0.113.7',
  addresses: '203.0.113.7',
  admin: 'owner',
  botToken: '12345678:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQr',
  code: 'WELCOME50',
  day: '2026-11-20',
  description: 'Ranked access for the running season',
  descriptionHi: 'इस सीज़न के रैंक्ड मैच खेलें',
  duration: '1 Month',
  email: 'aarav@example.in',
  passphrase: 'monsoon kite ladder 41',
  expires: '2026-11',
  from: '2026-11-01',
  header: 'KARBNK',
  key: 'SSP0-8F2Q-77KD-XM4P',
  message: 'Done',
  month: '2026-11',
  name: 'Skyforge Season Pass',
  nameHi: 'स्काईफ़ोर्ज सीज़न पास',
  notice: 'Payments made at night are approved after 7 am.',
  noticeHi: 'रात में किए पेमेंट सुबह 7 बजे के बाद मंज़ूर होते हैं।',
  password: 'a long password',
  payerName: '9876543210',
  productName: 'Skyforge Season Pass',
  productNameHi: 'स्काईफ़ोर्ज सीज़न पास',
  reason: 'No such transfer on our statement',
  referralCode: 'WELCOME50',
  search: 'aarav',
  since: MOMENT,
  secret: 'chaabi_AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQrrSSttUUv',
  source: 'topup',
  status: 'ok',
  tail: '4321',
  text: 'Payments made at night are approved after 7 am.',
  to: '2026-11-20',
  totp: '123456',
  upiId: 'shop@okaxis',
  username: 'aarav',
  utr: '402611870123',
  version: '1.0.0',
}

/** @returns undefined for an empty schema */
export function exampleOf(schema: Json, name = ''): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return exampleOf(firstTelling(schema.anyOf as Json[]), name)
  const type = Array.isArray(schema.type) ? (schema.type as string[])[0] : schema.type
  switch (type) {
    case 'object':
      return exampleOfObject(schema, name)
    case 'array':
      return [exampleOf((schema.items ?? {}) as Json, name)]
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      return exampleOfNumber(schema, name)
    case 'string':
      return exampleOfText(schema, name)
    default:
      return undefined
  }
}

function firstTelling(choices: readonly Json[]): Json {
  return choices.find((each) => each.type !== 'null' && each.const !== '') ?? choices[0] ?? {}
}

function exampleOfObject(schema: Json, name: string): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  if (properties.length === 0 && typeof schema.additionalProperties === 'object')
    return { [name === '' ? `${ID}_1 Month` : 'name']: exampleOf(schema.additionalProperties as Json) }
  return Object.fromEntries(properties.map(([key, inner]) => [key, exampleOf(inner, key) ?? {}]))
}

function exampleOfNumber(schema: Json, name: string): number {
  if (String(schema.description).startsWith('Rupees')) return 449
  if (name === 'limit') return 10
  if (name === 'skip') return 0
  return Math.max(1, Number(schema.minimum ?? 1))
}

function exampleOfText(schema: Json, name: string): string {
  if (schema.format === 'uuid') return ID
  if (String(schema.description).startsWith('ISO-8601')) return MOMENT
  return TEXTS[name] ?? (/name$/i.test(name) ? 'Chaabi' : /password/i.test(name) ? 'a long password' : 'text')
}
