/**
 * Translates every text on a screen by `t`, with the English text as its id:
 *
 *   t('Purchase Key')
 *   t('{count} left', { count: 7 })
 *   t('{count, plural, one {# key} other {# keys}}', { count })
 *
 * It knows as much of ICU's grammar as these texts use. Catalogues of other languages can be separate chunks. English
 * needs none.
 */
import { formatCount } from './money.ts'

type Values = Record<string, string | number>
/** Writes its part of a text. `count` is the number that a plural around it stands for. */
type Part = (values: Values, count?: number) => string

const compiled = new Map<string, Part>()
let plurals: Intl.PluralRules | undefined

/** Returns the text in the reader's language. */
export function t(text: string, values?: Values): string {
  if (!values) return text
  let part = compiled.get(text)
  if (!part) compiled.set(text, (part = compile(text)))
  return part(values)
}

/** Compiles text with {name}, {name, plural, one {…} other {…}} and {name, select, …}. # is the number in a plural. */
function compile(message: string): Part {
  let at = 0

  function whole(inPlural: boolean): Part {
    const parts: Part[] = []
    while (at < message.length && message[at] !== '}') {
      const char = message[at]
      if (char === '{') {
        at++
        parts.push(argument())
      } else if (char === '#' && inPlural) {
        at++
        parts.push((_, count = 0) => formatCount(count))
      } else {
        const text = until(inPlural ? '{}#' : '{}')
        parts.push(() => text)
      }
    }
    return (values, count) => parts.map((part) => part(values, count)).join('')
  }

  function argument(): Part {
    const name = until(',}').trim()
    if (message[at++] === '}') return (values) => String(values[name] ?? '')
    const isPlural = until(',').trim() === 'plural'
    at++
    const cases = new Map<string, Part>()
    for (let key = until('{}').trim(); message[at] === '{'; key = until('{}').trim()) {
      at++
      cases.set(key, whole(isPlural))
      at++
    }
    at++
    return (values) => {
      const count = Number(values[name])
      const key = isPlural ? (plurals ??= new Intl.PluralRules('en-IN')).select(count) : String(values[name])
      const chosen = (isPlural && cases.get(`=${count}`)) || (cases.get(key) ?? cases.get('other'))
      return chosen?.(values, count) ?? ''
    }
  }

  function until(ends: string): string {
    const start = at
    while (at < message.length && !ends.includes(message.charAt(at))) at++
    return message.slice(start, at)
  }

  return whole(false)
}
