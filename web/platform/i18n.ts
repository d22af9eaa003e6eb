/**
 * Every text that a person sees goes through `t`, with the English text as its id:
 *
 *   t('Purchase Key')
 *   t('{count} left', { count: 7 })
 *   t('{count, plural, one {# key} other {# keys}}', { count })
 *
 * A part of ICU's message format, read here: what texts need, in a tenth of a library's size.
 */
type Values = Record<string, string | number>
/** Text, an argument, or one that chooses among its cases. */
type Token = string | { name: string; plural?: boolean; cases?: Map<string, Token[]> }

const LOCALE = 'en-IN'
const plurals = new Intl.PluralRules(LOCALE)
const numbers = new Intl.NumberFormat(LOCALE)
/** `#`: the number of the plural around it. */
const COUNT: Token = { name: '#' }

const compiled = new Map<string, Token[]>()

/** The text in the reader's language. */
export function t(text: string, values: Values = {}): string {
  if (!text.includes('{')) return text
  let tokens = compiled.get(text)
  if (!tokens) compiled.set(text, (tokens = compile(text)))
  return written(tokens, values)
}

/** @param count of the plural that the tokens are in */
function written(tokens: readonly Token[], values: Values, count?: number): string {
  let text = ''
  for (const token of tokens) {
    if (typeof token === 'string') text += token
    else if (token === COUNT) text += numbers.format(count ?? 0)
    else text += chosen(token, values, count)
  }
  return text
}

function chosen({ name, plural, cases }: Exclude<Token, string>, values: Values, count?: number): string {
  const value = values[name] ?? ''
  if (!cases) return String(value)
  const rule = plural ? plurals.select(Number(value)) : 'other'
  const fitting = cases.get(String(value)) ?? cases.get(rule) ?? cases.get('other') ?? []
  return written(fitting, values, plural ? Number(value) : count)
}

/** Text with {name}, {name, plural, one {…} other {…}} and {name, select, …}; # is the number inside a plural. */
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
        found.push(COUNT)
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
      return { name }
    }
    at++
    const plural = until(',').trim() === 'plural'
    at++
    const cases = new Map<string, Token[]>()
    while (at < message.length && message[at] !== '}') {
      const key = until('{}').trim()
      if (message[at] !== '{') break
      at++
      cases.set(key.replace('=', ''), tokens(plural))
      at++
    }
    at++
    return { name, plural, cases }
  }

  function until(ends: string): string {
    const start = at
    while (at < message.length && !ends.includes(message.charAt(at))) at++
    return message.slice(start, at)
  }

  return tokens(false)
}
