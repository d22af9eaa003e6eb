/**
 * Translates every text on a screen by `t`, with the English text as its id:
 *
 *   t('Purchase Key')
 *   t('{count} left', { count: 7 })
 *   t('{count, plural, one {# key} other {# keys}}', { count })
 *
 * Catalogues of other languages are compiled ahead and loaded as separate chunks. English needs none.
 */
import { setupI18n } from '@lingui/core'

type Values = Record<string, string | number>
type Token = string | [name: string, type?: string, cases?: Record<string, Token[]>]

const i18n = setupI18n({ locale: 'en', locales: 'en-IN', messages: { en: {} } })

const compiled = new Map<string, Token[]>()

// Production builds leave out Lingui's compiler (10 kB), because the English ids use little of ICU's grammar.
i18n.setMessagesCompiler((message) => {
  let tokens = compiled.get(message)
  if (!tokens) compiled.set(message, (tokens = compile(message)))
  return tokens
})

/** Returns the text in the reader's language. */
export function t(text: string, values?: Values): string {
  return i18n._(text, values)
}

/** Compiles text with {name}, {name, plural, one {…} other {…}} and {name, select, …}. # is the number in a plural. */
function compile(message: string): Token[] {
  let at = 0

  function tokens(inPlural: boolean): Token[] {
    const found: Token[] = []
    let text = ''
    const flush = () => {
      if (text) found.push(text)
      text = ''
    }
    while (at < message.length && message[at] !== '}') {
      const char = message[at]
      if (char === '{') {
        flush()
        at++
        found.push(argument())
      } else if (char === '#' && inPlural) {
        flush()
        found.push('#')
        at++
      } else {
        text += char
        at++
      }
    }
    flush()
    return found
  }

  function argument(): Token {
    const name = until(',}').trim()
    if (message[at] === '}') {
      at++
      return [name]
    }
    at++
    const type = until(',').trim()
    at++
    const cases = Object.create(null) as Record<string, Token[]>
    while (at < message.length && message[at] !== '}') {
      const key = until('{}').trim()
      if (message[at] !== '{') break
      at++
      cases[key.replace('=', '')] = tokens(type === 'plural')
      at++
    }
    at++
    return [name, type, cases]
  }

  function until(ends: string): string {
    const start = at
    while (at < message.length && !ends.includes(message.charAt(at))) at++
    return message.slice(start, at)
  }

  return tokens(false)
}
