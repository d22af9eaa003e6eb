/** What each app that forwards SMS must be given, in its own form. */
import { t } from '../platform/i18n.ts'
import { macroFile } from './macro-file.ts'

export type AppName = 'macrodroid' | 'forwarder' | 'smsforwarder' | 'iphone'

export const APPS: readonly { value: AppName; label: string }[] = [
  { value: 'macrodroid', label: 'MacroDroid' },
  { value: 'forwarder', label: 'SMS to URL' },
  { value: 'smsforwarder', label: 'SmsForwarder' },
  { value: 'iphone', label: 'iPhone' },
]

/** Parts of the words with which banks tell of money that came. */
const WORDS = ['credit', 'receiv', 'deposit']
const EXPRESSION = `(?i)${WORDS.join('|')}`

/** An app without regular expressions compares one text at a time, and never finds "credit|receiv". */
export const filtersOf = (app: AppName): readonly string[] =>
  app === 'macrodroid' || app === 'iphone' ? WORDS : [EXPRESSION]

/** With each app's own names for text, sender and time. */
export const BODIES: Record<AppName, string> = {
  macrodroid: '[sms_message]',
  forwarder: [
    '{"from":"%from%","text":"%text%","sentStamp":%sentStamp%,',
    '"receivedStamp":%receivedStamp%,"sim":"%sim%"}',
  ].join(''),
  smsforwarder: 'from=[from]&content=[org_content]&timestamp=[timestamp]',
  iphone: '{"text":"Message","from":"Sender"}',
}

/** @returns a file that MacroDroid imports: all of the values below as one macro */
export const macroOf = (store: string, address: string, token: string): string =>
  inBraces(
    macroFile({
      name: store,
      address,
      headers: headersOf('macrodroid', token).map(({ name = '', text }) => ({ name, text })),
      body: BODIES.macrodroid,
      words: WORDS,
    }),
  )

/** MacroDroid's own files have it so. In its forms both are taken. */
const inBraces = (text: string): string => text.replaceAll(/\[(sms_\w+)\]/g, '{$1}')

/** @returns each header's name, where it has a field of its own, and what to paste */
export function headersOf(app: AppName, token: string): { name?: string; text: string; what: string }[] {
  const bearer = `Bearer ${token}`
  if (app === 'forwarder') return [{ text: JSON.stringify({ Authorization: bearer }), what: t('header') }]
  const own = { name: 'Authorization', text: bearer, what: t('header') }
  return app === 'macrodroid'
    ? [own, { name: 'X-Alert-Sender', text: '[sms_number]', what: t('sender header') }]
    : [own]
}
