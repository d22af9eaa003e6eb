/**
 * Says every text in a reader's language, with the English text as its id:
 *
 *   t('Purchase Key')
 *   t('{count} left', { count: 7 })
 *   t('{count, plural, one {# key} other {# keys}}', { count })
 *   t('Open', { context: 'verb' })
 *
 * It knows as much of ICU's grammar as these texts use. A word that other languages say in two ways has a context:
 * its id is then "Open¦verb". English needs no catalogue. What people wrote comes out as it is.
 */
import type { Language } from './languages.ts'
import { formatCount } from './money.ts'

/** A text with what goes into it. */
export type Said = readonly [text: string, values?: Values]
/** A value may be a text of its own, which is said in the same language. */
export type Values = { readonly [name: string]: string | number | Said }
/** English text → text in another language. */
export type Catalogue = Readonly<Record<string, string>>
export type Translate = (text: string, values?: Values) => string
/** Writes its part of a text. `count` is the number that a plural around it stands for. */
type Part = (values: Values, count?: number) => string

/** @param words the catalogues of one language, which may grow; none for English */
export function translator(language: Language, words?: ReadonlyMap<string, string>): Translate {
  const compiled = new Map<string, Part>()
  let plurals: Intl.PluralRules | undefined
  const pluralOf = (count: number) => (plurals ??= new Intl.PluralRules(language)).select(count)
  const say: Translate = (text, values) => {
    if (!values) return words?.get(text) ?? text
    const context = values['context'] as string | undefined
    const said = words?.get(context ? `${text}¦${context}` : text) ?? text
    let part = compiled.get(said)
    if (!part) compiled.set(said, (part = compile(said, pluralOf, say)))
    return part(values)
  }
  return say
}

/** Compiles text with {name}, {name, plural, one {…} other {…}} and {name, select, …}. # is the number in a plural. */
function compile(message: string, pluralOf: (count: number) => string, say: Translate): Part {
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
    if (message[at++] === '}') return (values) => ownText(values[name])
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
      const key = isPlural ? pluralOf(count) : ownText(values[name])
      const chosen = (isPlural && cases.get(`=${count}`)) || (cases.get(key) ?? cases.get('other'))
      return chosen?.(values, count) ?? ''
    }
  }

  function ownText(value: Values[string] = ''): string {
    return typeof value === 'object' ? say(...value) : String(value)
  }

  function until(ends: string): string {
    const start = at
    while (at < message.length && !ends.includes(message.charAt(at))) at++
    return message.slice(start, at)
  }

  return whole(false)
}
