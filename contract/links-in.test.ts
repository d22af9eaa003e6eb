import { describe, expect, test } from 'vitest'
import { linksIn } from './links-in.ts'

const hrefsIn = (text: string) => linksIn(text).flatMap(({ href }) => href ?? [])

describe('addresses in a text', () => {
  test('are found, without the full stop or the bracket behind them', () => {
    expect(linksIn('Open https://a.example/x?y=1, then (https://b.example).')).toEqual([
      { text: 'Open ' },
      { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
      { text: ', then (' },
      { text: 'https://b.example', href: 'https://b.example' },
      { text: ').' },
    ])
  })

  test.each(['javascript:alert(1)', 'http://a.example', 'HTTPS://A.EXAMPLE', 'https://', 'data:text/html,x', ''])(
    'are none in %j',
    (text) => {
      expect(hrefsIn(text)).toEqual([])
      expect(linksIn(text).map((part) => part.text)).toEqual(text === '' ? [] : [text])
    },
  )

  test.each(['https://a.example"onclick="x', "https://a.example'x", 'https://a.example<script>'])(
    'end before a quote or a bracket in %j',
    (text) => {
      expect(hrefsIn(text)).toEqual(['https://a.example'])
    },
  )

  test('leave the text as it is when the parts are joined', () => {
    const text = 'One https://a.example/..\n\nTwo https://b.example/(c) three'
    expect(
      linksIn(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })
})
