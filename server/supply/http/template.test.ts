import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { SupplyTemplate } from '../../../contract/supply.ts'
import { requestOf, takesQuantity } from './template.ts'

const TEMPLATE = {
  method: 'POST' as const,
  url: 'https://keys.example/buy',
  headers: '',
  body: '',
  keyAt: '',
  costAt: '',
  noneIf: '',
  okIf: '',
  repeats: false,
}
const VALUES = { secret: 's3cret', order: '0190a000-0000-7000-8000-000000000001', sku: 'NC', quantity: 3 }
const fill = (template: Partial<SupplyTemplate>, values: Partial<typeof VALUES> = {}) =>
  requestOf({ ...TEMPLATE, ...template }, { ...VALUES, ...values })
const faultsOf = (template: Partial<Record<keyof SupplyTemplate, unknown>>) => {
  const read = z.safeParse(SupplyTemplate, { ...TEMPLATE, ...template })
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('each value is encoded for its place', () => {
  const HOSTILE = ['a"b', "a'b", 'a\\b', 'a&b=c', 'a/../b?c#d', 'कुंजी 🔑', '{secret}', '{order}{sku}', '%0d%0a', '$&']

  test.each(HOSTILE)('in an address: %s', (sku) => {
    const url = new URL(fill({ url: 'https://keys.example/of/{sku}?item={sku}&n={quantity}' }, { sku }).url)
    expect(url.origin).toBe('https://keys.example')
    expect([url.searchParams.get('item'), url.searchParams.get('n'), url.hash]).toEqual([sku, '3', ''])
    expect(decodeURIComponent(url.pathname)).toBe(`/of/${sku}`)
  })

  test.each(HOSTILE)('in a JSON body: %s', (sku) => {
    const { body, headers } = fill({ body: '{"item": "{sku}", "all": ["x{sku}"], "n": {quantity}}' }, { sku })
    expect(JSON.parse(body)).toEqual({ item: sku, all: [`x${sku}`], n: 3 })
    expect(headers.get('content-type')).toBe('application/json')
  })

  test.each(HOSTILE)('in a form: %s', (sku) => {
    const { body, headers } = fill({ body: 'item={sku}&key={secret}' }, { sku })
    expect([...new URLSearchParams(body)]).toEqual([
      ['item', sku],
      ['key', 's3cret'],
    ])
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded')
  })

  test.each(HOSTILE)('in a header, as it is: %s', (sku) => {
    expect([...fill({ headers: 'X-Item:  {sku}' }, { sku }).headers]).toEqual([['x-item', sku]])
  })

  test.each(['a\r\nX-Evil: 1', 'a\nb', 'a\rb', 'a\0b'])('a line break is refused in every place: %j', (sku) => {
    for (const place of [{ headers: 'X: {sku}' }, { url: 'https://a.example/{sku}' }, { body: 'a={sku}' }])
      expect(() => fill(place, { sku })).toThrow()
    expect(() => fill({ headers: 'X: {secret}' }, { secret: 'a\r\nb' })).toThrow()
  })

  test('half of a pair of surrogates ends nothing', () => {
    expect(fill({ url: 'https://keys.example/{sku}' }, { sku: 'a\ud800' }).url).toBe('https://keys.example/a%EF%BF%BD')
  })

  test('without the secret, dots stand where it would', () => {
    const { secret: _, ...values } = VALUES
    const { headers, body } = requestOf({ ...TEMPLATE, headers: 'K: {secret}', body: '{"k": "{secret}"}' }, values)
    expect([headers.get('k'), body]).toEqual(['••••••••', '{"k": "••••••••"}'])
  })

  test('a GET has no body, and one key is bought where nothing says how many', () => {
    expect(fill({ method: 'GET', body: 'a={sku}' })).toMatchObject({ body: '', headers: new Map() })
    expect(takesQuantity({ ...TEMPLATE, method: 'GET', body: 'n={quantity}' })).toBe(false)
    for (const place of [
      { url: 'https://a.example/{quantity}' },
      { headers: 'N: {quantity}' },
      { body: 'n={quantity}' },
    ])
      expect(takesQuantity({ ...TEMPLATE, ...place })).toBe(true)
  })
})

describe('a template that cannot be is refused at its field', () => {
  test.each([
    [{ url: 'https://keys.example/?k={secret}' }, 'url: The secret can’t stand in an address'],
    [{ headers: 'X-Key {secret}' }, 'headers: Write up to 8 headers like Name: value'],
    [{ headers: 'X-Key:' }, 'headers: Write up to 8 headers like Name: value'],
    [{ headers: 'X Key: a' }, 'headers: Write up to 8 headers like Name: value'],
    [{ headers: 'Host: other.example' }, 'headers: Write up to 8 headers like Name: value'],
    [{ headers: 'Content-Length: 5' }, 'headers: Write up to 8 headers like Name: value'],
    [{ headers: 'transfer-encoding: chunked' }, 'headers: Write up to 8 headers like Name: value'],
    [{ headers: 'A: 1\n\nHost: b' }, 'headers: Write up to 8 headers like Name: value'],
    [{ headers: 'A: 1\rHost: b' }, 'headers: Write up to 8 headers like Name: value'],
    [{ headers: 'A: 1\n'.repeat(9) }, 'headers: Write up to 8 headers like Name: value'],
    [{ body: '{"item": {sku}}' }, 'body: This is not JSON. Put each text into quotes, like "{sku}"'],
    [{ body: '{"item": 1{sku}}' }, 'body: This is not JSON. Put each text into quotes, like "{sku}"'],
    [{ body: '{"item": "\\u000{sku}"}' }, 'body: This is not JSON. Put each text into quotes, like "{sku}"'],
    [{ body: '{"item": "{sku}"' }, 'body: This is not JSON. Put each text into quotes, like "{sku}"'],
    [{ keyAt: 'data/key' }, 'keyAt: Write it like /data/code'],
    [{ keyAt: '/a~2b' }, 'keyAt: Write it like /data/code'],
    [{ costAt: '$.price' }, 'costAt: Write it like /data/code'],
    [{ noneIf: 'no' }, 'noneIf: Write at least 3 signs'],
  ])('%j', (template, fault) => {
    expect(faultsOf(template)).toEqual([fault])
  })

  test('and one that can be is not', () => {
    const headers = Array.from({ length: 8 }, (_, n) => `X-${n}: {secret} {order}`).join('\r\n')
    expect(faultsOf({ headers, body: '[{"a": "{sku}", "b": {quantity}}]', keyAt: '/a~1b/~0/0', noneIf: '' })).toEqual(
      [],
    )
    expect(faultsOf({ body: 'a={sku}&b={order}' })).toEqual([])
  })
})
