/** One request of a supplier with an API of its own, made of its template. Each value is encoded for its place. */
import { Refusal } from '../../../contract/errors.ts'
import type { SupplyTemplate } from '../../../contract/supply.ts'

interface Values {
  /** Dots stand for it where it is absent. */
  secret?: string
  order: string
  sku: string
  quantity: number
}

type Encode = (value: string) => string
const inJson: Encode = (value) => JSON.stringify(value).slice(1, -1)
const isJson = (body: string) => /^[{[]/.test(body)
const bodyOf = ({ method, body }: SupplyTemplate) => (method === 'POST' ? body : '')

/** Fills each placeholder once. One inside a value stays text. @throws Refusal INVALID_INPUT for a line break */
function fill(text: string, values: Values, encode: Encode): string {
  return text.replaceAll(/\{(secret|order|sku|quantity)\}/g, (_, name: keyof Values) => {
    const value = String(values[name] ?? '')
    if (/[\r\n\0]/.test(value)) throw new Refusal('INVALID_INPUT', { field: name })
    // Half of a pair of surrogates has no encoding
    return value === '' ? '••••••••' : encode(Buffer.from(value).toString())
  })
}

export function requestOf(template: SupplyTemplate, values: Values) {
  const body = bodyOf(template)
  const type = isJson(body) ? 'application/json' : 'application/x-www-form-urlencoded'
  const written = [...template.headers.matchAll(/^(.+?):\s*(.*\S)/gm)].map(([, name = '', value = '']) => {
    return [name.toLowerCase(), fill(value, values, (each) => each)] as const
  })
  return {
    method: template.method,
    url: fill(template.url, values, encodeURIComponent),
    headers: new Map([...(body === '' ? [] : [['content-type', type] as const]), ...written]),
    body: fill(body, values, isJson(body) ? inJson : encodeURIComponent),
  }
}

/** A request that does not say how many keys buys one. */
export const takesQuantity = (template: SupplyTemplate): boolean =>
  [template.url, template.headers, bodyOf(template)].some((text) => text.includes('{quantity}'))
