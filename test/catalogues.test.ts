import { expect, test } from 'vitest'
import { faultsOf, partOf, saidIn, shapeOf, shellFaults } from '../scripts/check-catalogues.mjs'
import hindi from '../web/words/hi-panel.json' with { type: 'json' }

const ids = (source: string, file = 'web/a.tsx') => saidIn(file, source).ids.map(({ id }: { id: string }) => id)
const bare = (source: string) => saidIn('web/a.tsx', source).bare.map(({ text }: { text: string }) => text)
const HINDI = { letters: /\p{Script=Devanagari}/u, same: ['UPI'] }
const said = (id: string, part = '') => ({ id, part, at: 'web/a.tsx:1' })
const faults = (words: Record<string, string>, texts = Object.keys(words).map((id) => said(id))) =>
  faultsOf(texts, () => false, { '': words }, HINDI).join('\n')

test('every text is found: of either branch, in pieces, with elements, and what a refusal says', () => {
  expect(ids("t('Open', { context: 'verb' })")).toEqual(['Open¦verb'])
  expect(ids("t(isOn ? 'On' : 'Off') + textWith('Till ' + '{date}', {})")).toEqual(['On', 'Off', 'Till {date}'])
  expect(ids("new Refusal('X', { say: ['Up to {most}', { most }] })", 'server/a.ts')).toEqual(['Up to {most}'])
  expect(ids("const all = { X: { status: 400, message: 'No.' } }", 'contract/errors.ts')).toEqual(['No.'])
  expect(ids("const subject = isLogo ? 'Logo' : 'Picture'", 'server/a.ts')).toEqual(['Logo', 'Picture'])
  expect(ids('audit(tx, by, { subject: `${name} (${id})`, at: 1 })', 'server/a.ts')).toEqual([])
  expect(ids("const all = { label: 'Auto-buy', to: 'buyer' }", 'contract/message-kinds.ts')).toEqual(['Auto-buy'])
})

test('a text on a screen that no catalogue could translate is a fault, and a quote of another program is none', () => {
  expect(bare('<p title="Pay now">Hello {t("you")}</p>')).toEqual(['Pay now', 'Hello'])
  expect(bare("<p aria-label={isOn ? 'On now' : t('Off')} />")).toEqual(['On now'])
  expect(bare('<p translate="no">App blocked</p>')).toEqual([])
})

test('a text in a table of the code is a fault, and a name, a word of the code and what is compared are none', () => {
  expect(bare("const all = [{ app: 'Bank apps' }]")).toEqual(['Bank apps'])
  expect(bare("const all = ['Not paid yet', 'paid']")).toEqual(['Not paid yet'])
  expect(bare("const words = { one: () => 'Still open', other: t('Open') }")).toEqual(['Still open'])
  expect(bare("const word = isOpen ? ('Open now' as const) : 'closed'")).toEqual(['Open now'])
  expect(bare("const all = [{ app: 'PhonePe', key: 'bank-apps' }]")).toEqual([])
  expect(bare("const isEnter = key === 'Enter' && Boolean({ id: 'UPI' })")).toEqual([])
})

test.each(['The address is not proven', 'The email is not confirmed', 'This version knows no such message'])(
  'a reason that an earlier version has written to a message is said in Hindi: %s',
  (reason) => {
    expect(new Map(Object.entries(hindi)).get(reason)).toMatch(HINDI.letters)
  },
)

test.each([
  { fault: 'not translated', words: {}, texts: [said('Pay')] },
  { fault: 'nothing says this', words: { Pay: 'पे करें' }, texts: [] },
  { fault: 'other values', words: { 'Pay {amount}': 'पे करें' } },
  { fault: 'other values', words: { 'Read the <b>terms</b>': 'शर्तें पढ़ें' } },
  {
    fault: 'without one and other',
    words: { '{n, plural, one {# key} other {# keys}}': '{n, plural, other {# की}}' },
  },
  { fault: 'not in the letters', words: { Pay: 'Pay' } },
  { fault: 'not sorted', words: { Pay: 'पे करें', Add: 'जोड़ें' } },
])('a catalogue with a fault fails: $fault', ({ fault, words, texts }) => {
  expect(faults(words as Record<string, string>, texts)).toContain(fault)
})

test('a whole catalogue passes: with plurals, values in another order, a context, and a name', () => {
  const words = {
    'Active¦plan': 'चालू',
    UPI: 'UPI',
    '{n, plural, one {# key} other {# keys}} of {name}': '{name} की {n, plural, one {# key} other {{n} keys}}',
  }
  expect(faults(words)).toBe('')
})

test('what only admins read has a catalogue of its own, which lacks none of its texts', () => {
  expect(partOf('web/keys/admin/key-import.ts')).toBe('-panel')
  expect(partOf('web/keys/my-key-screen.tsx')).toBe('')
  const held = (words: Record<string, string>) =>
    faultsOf([said('Spent', '-panel')], () => true, { '': {}, '-panel': words, '-supply': { Spent: 'ख़र्च' } }, HINDI)
  expect(held({ Spent: 'ख़र्च' })).toEqual([])
  expect(held({})).toEqual(['web/a.tsx:1 is not translated: Spent'])
  expect(shapeOf('{a}').shape).toBe(shapeOf('x {a}').shape)
})

test.each([
  [1, "found('warning', 'Make one: {command}', { command })", 'server/a.ts'],
  [1, "const message = t('Set PUBLIC_URL first.')", 'web/a.tsx'],
  [1, "<p>{t('Run: npm run backup')}</p>", 'web/a.tsx'],
  [1, "const all = { X: { status: 400, message: 'Put secret.key back.' } }", 'contract/errors.ts'],
  [0, "withHow(found('warning', 'No backup.'), how('Make one: {command}', { command }))", 'server/a.ts'],
  [0, "<How>{textWith('Run {command}', {})}</How>", 'web/a.tsx'],
])('a command on a phone’s screen is found, unless it is behind “How?”: %i in %s', (count, source, file) => {
  expect(shellFaults(saidIn(file, source).ids)).toHaveLength(count)
})
