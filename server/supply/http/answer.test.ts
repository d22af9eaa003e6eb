/** What an answer of a supplier with an API of its own is taken for. */
import { describe, expect, test } from 'vitest'
import { readAnswer, valueAt } from './answer.ts'

const TEMPLATE = {
  method: 'POST' as const,
  url: 'https://keys.example/buy',
  headers: '',
  body: '',
  keyAt: '/data/keys',
  costAt: '/data/price',
  noneIf: 'SOLD_OUT',
  okIf: '',
  repeats: false,
}
const LINES = { ...TEMPLATE, keyAt: '', costAt: '' }

interface Case {
  status?: number
  body: unknown
  quantity?: number
  headers?: Record<string, string>
  of?: Partial<typeof TEMPLATE>
}

function read({ status = 200, body, quantity = 1, headers = { 'content-length': '1' }, of }: Case): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = readAnswer({ ...TEMPLATE, ...of }, { status, headers, body: text }, quantity)
  return answer.is === 'came' ? `came ${answer.keys.join(' ')} ${answer.unitPrice}` : `${answer.is} ${answer.why}`
}
const data = (keys: unknown, price: unknown = 80) => ({ data: { keys, price } })

describe('each answer and its outcome', () => {
  const CASES: Record<string, [Case, string]> = {
    'a key': [{ body: data('AB-1') }, 'came AB-1 8000'],
    'a list of one': [{ body: data(['AB-1']) }, 'came AB-1 8000'],
    'as many as were ordered': [{ body: data(['AB-1', 'AB-2']), quantity: 2 }, 'came AB-1 AB-2 8000'],
    created: [{ status: 201, body: data('AB-1') }, 'came AB-1 8000'],
    'with spaces around it': [{ body: data('  AB-1 ') }, 'came AB-1 8000'],
    'after a byte order mark': [{ body: `\u{FEFF}${JSON.stringify(data('AB-1'))}` }, 'came AB-1 8000'],
    'the price as text': [{ body: data('AB-1', '80.50') }, 'came AB-1 8050'],
    'no price': [{ body: data('AB-1', null) }, 'came AB-1 undefined'],
    'a price with commas': [{ body: data('AB-1', '1,299.00') }, 'came AB-1 undefined'],
    'a price with its currency': [{ body: data('AB-1', '80 USD') }, 'came AB-1 undefined'],
    'a price that is none': [{ body: data('AB-1', '1e3') }, 'came AB-1 undefined'],
    'a price below nothing': [{ body: data('AB-1', -5) }, 'came AB-1 undefined'],
    'a key with the text of sold out': [{ body: data('SOLD_OUT-1') }, 'came SOLD_OUT-1 8000'],
    'sold out': [{ body: { error: 'SOLD_OUT' } }, 'refused stock'],
    'sold out, with an empty key': [{ body: { ...data(''), error: 'SOLD_OUT' } }, 'refused stock'],
    'sold out, with no list': [{ body: { ...data([]), error: 'SOLD_OUT' } }, 'refused stock'],
    'sold out as a failure': [{ status: 500, body: { error: 'SOLD_OUT' } }, 'refused stock'],
    'sold out as a conflict': [{ status: 409, body: 'SOLD_OUT' }, 'refused stock'],
    'some keys, then sold out': [{ body: { ...data(['AB-1']), error: 'SOLD_OUT' }, quantity: 2 }, 'unknown keys'],
    'something else, and the text': [{ body: { ...data({ code: 'AB-1' }), next: 'SOLD_OUT' } }, 'unknown keys'],
    'another 400': [{ status: 400, body: {} }, 'refused request'],
    'another 404': [{ status: 404, body: '<html>Not found</html>' }, 'refused request'],
    'another 410': [{ status: 410, body: '' }, 'refused request'],
    'another 422': [{ status: 422, body: {} }, 'refused request'],
    'money that does not suffice': [{ status: 402, body: {} }, 'refused request'],
    'sold out as another program writes it': [
      { body: '{"error": "\\u5e93\\u5b58 1", "at": "a\\/b"}', of: { noneIf: '"error":"库存 1"' } },
      'refused stock',
    ],
    'an error in place of a key': [
      { body: { ...data('Insufficient balance'), status: 'failed' }, of: { okIf: '"status": "ok"' } },
      'unknown unreadable',
    ],
    'a key with its mark': [
      { body: { ...data('AB-1'), status: 'ok' }, of: { okIf: '"status": "ok"' } },
      'came AB-1 8000',
    ],
    'an error in lines': [{ body: 'NO_BALANCE', of: { ...LINES, okIf: 'ACCESS' } }, 'unknown unreadable'],
    'a text in quotes': [{ body: '"AB-1"', of: LINES }, 'unknown unreadable'],
    'a refused secret': [{ status: 401, body: {} }, 'unknown token'],
    'a forbidden one': [{ status: 403, body: {} }, 'unknown token'],
    'another conflict': [{ status: 409, body: {} }, 'unknown unreadable'],
    'too many': [{ status: 429, body: {} }, 'unknown busy'],
    'a failure': [{ status: 500, body: data('AB-1') }, 'unknown silent'],
    'a busy server': [{ status: 503, body: {} }, 'unknown busy'],
    'a redirect': [{ status: 302, body: '', headers: { location: 'https://x.example' } }, 'unknown unreadable'],
    'fewer keys': [{ body: data(['AB-1']), quantity: 2 }, 'unknown keys'],
    'more keys': [{ body: data(['AB-1', 'AB-2']) }, 'unknown keys'],
    'a list with something else': [{ body: data(['AB-1', null]), quantity: 2 }, 'unknown keys'],
    'two lines in a key': [{ body: data('AB-1\nAB-2') }, 'unknown keys'],
    'a control sign': [{ body: data('AB\u{7}') }, 'unknown keys'],
    'a long key': [{ body: data('A'.repeat(257)) }, 'unknown keys'],
    'a number': [{ body: data(12_345) }, 'unknown keys'],
    'a letter that could not be read': [{ body: data('AB\u{FFFD}-1') }, 'unknown keys'],
    'half of a letter': [{ body: '{"data":{"keys":"AB\\ud800-1"}}' }, 'unknown keys'],
    'a number that a spreadsheet wrote': [{ body: data('1.23E+15') }, 'unknown keys'],
    'the start of a key': [{ body: data('AB12…') }, 'unknown keys'],
    'an object': [{ body: data({ code: 'AB-1' }) }, 'unknown keys'],
    'nothing there': [{ body: { ok: true } }, 'unknown unreadable'],
    'nothing at all': [{ body: '' }, 'unknown unreadable'],
    'a page': [{ body: '<html>AB-1</html>' }, 'unknown unreadable'],
    'half an answer': [{ body: '{"data":{"keys":"AB-' }, 'unknown unreadable'],
    'nested without end': [{ body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, 'unknown unreadable'],
  }
  test.each(Object.entries(CASES))('%s', (_, [given, outcome]) => {
    expect(read(given)).toBe(outcome)
  })
})

describe('each line is a key', () => {
  const CASES: Record<string, [Case, string]> = {
    one: [{ body: 'AB-1\n' }, 'came AB-1 undefined'],
    'two, with empty lines': [{ body: '\r\nAB-1\r\n\r\nAB-2\r\n', quantity: 2 }, 'came AB-1 AB-2 undefined'],
    'in pieces': [{ body: 'AB-1', headers: { 'transfer-encoding': 'chunked' } }, 'came AB-1 undefined'],
    'an answer that may be cut': [{ body: 'AB-1', headers: {} }, 'unknown unreadable'],
    'sold out': [{ body: 'Sorry: SOLD_OUT' }, 'refused stock'],
    'a key, then sold out': [{ body: 'AB-1\nSOLD_OUT', quantity: 2 }, 'unknown keys'],
    'a page': [{ body: '<html>busy</html>' }, 'unknown unreadable'],
    JSON: [{ body: '{"error":"busy"}' }, 'unknown unreadable'],
    nothing: [{ body: ' \n ' }, 'unknown unreadable'],
    'a failure': [{ status: 500, body: 'AB-1' }, 'unknown silent'],
  }
  test.each(Object.entries(CASES))('%s', (_, [given, outcome]) => {
    expect(read({ ...given, of: LINES })).toBe(outcome)
  })
})

test('256 kB are read, and what is longer is not known, whatever stands in it', () => {
  const padded = (bytes: number) => {
    const text = JSON.stringify({ ...data('AB-1'), pad: '' })
    return text.replace('"pad":""', `"pad":"${'x'.repeat(bytes - text.length)}"`)
  }
  expect(read({ body: padded(256 * 1024) })).toBe('came AB-1 8000')
  expect(read({ body: padded(256 * 1024 + 1) })).toBe('unknown unreadable')
  expect(read({ body: `SOLD_OUT${'x'.repeat(256 * 1024)}` })).toBe('unknown unreadable')
  expect(read({ status: 404, body: 'ü'.repeat(128 * 1024 + 1) })).toBe('unknown unreadable')
})

describe('a pointer goes through own members only', () => {
  const document: unknown = JSON.parse(
    '{"a":{"b":["x",{"c":"y"}]},"a/b":"slash","a~b":"tilde","~1":"both","":"empty","n":null,"__proto__":{"own":"z"}}',
  )
  test.each([
    ['/a/b/0', 'x'],
    ['/a/b/1/c', 'y'],
    ['/a~1b', 'slash'],
    ['/a~0b', 'tilde'],
    ['/~01', 'both'],
    ['/', 'empty'],
    ['/__proto__/own', 'z'],
    ['/a/__proto__', undefined],
    ['/a/__proto__/toString', undefined],
    ['/constructor', undefined],
    ['/toString/name', undefined],
    ['/a/b/length', undefined],
    ['/a/b/00', undefined],
    ['/a/b/-', undefined],
    ['/a/b/2', undefined],
    ['/a/b/-1', undefined],
    ['/a/b/1e0', undefined],
    ['/a/b/0/0', undefined],
    ['/a/b/0/length', undefined],
    ['/n/x', undefined],
    ['/absent/x', undefined],
  ])('%s', (pointer, value) => {
    expect(valueAt(document, pointer)).toBe(value)
  })

  test('and of an answer that is no object', () => {
    for (const each of [null, 'text', 7, true, undefined]) expect(valueAt(each, '/length')).toBe(undefined)
  })
})
