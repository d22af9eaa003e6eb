/** The messages of `wordings.json`, as the store reads them and as it should. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readAlert, type AlertReading } from '../../server/bank/reading/alerts/read-alert.ts'

export interface Wording {
  bank: string
  tail: string
  sender: string
  at: string
  text: string
  want: { outcome: string; amount?: number; ref?: string; never?: string; orUnread?: true }
}

const wordingsOf = (file: string) =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, file), 'utf8')) as Wording[]

export const WORDINGS = wordingsOf('wordings.json')

/** Only their share counts. Nobody mends what is read by looking at them. */
export const WORDINGS_APART = wordingsOf('wordings-apart.json')

/** Senders of banks that no list has. The owner of a phone has added them, and a statement has proven them. */
const ADDED = ['WBGBNK', 'SUDICO', 'SPBALT'].map((header) => ({ id: header, header, accountId: 'own', isProven: true }))

/** Reads a message that came to a phone with this one account. */
export const readWording = (
  { bank, tail, sender, text }: Pick<Wording, 'bank' | 'tail' | 'sender' | 'text'>,
  at: Date,
): AlertReading => readAlert({ text, sender, stampedAt: at }, [{ id: 'own', bank, tail }], at, ADDED)

/** In the words of a sample: what was read, as far as it matters. */
export const told = (reading: AlertReading) => {
  if (!('credit' in reading)) return { outcome: reading.outcome }
  const { amountPaise, refs } = reading.credit
  return { outcome: reading.outcome, amount: amountPaise / 100, ...(refs.length > 0 && { ref: refs[0] }) }
}

/** @returns what is right of a sample. A wording may have a template, or not */
export const wanted = ({ outcome, amount, ref, orUnread }: Wording['want']) => {
  const money = { amount, ...(ref !== undefined && { ref }) }
  if (outcome === 'credit')
    return [
      { outcome: 'credit', ...money },
      { outcome: 'proposed', ...money },
      ...(orUnread ? [{ outcome: 'unread' }] : []),
    ]
  if (outcome === 'unread-but-proposed') return [{ outcome: 'proposed', ...money }]
  return [outcome === 'hint' ? { outcome, ...money } : { outcome }, ...(orUnread ? [{ outcome: 'unread' }] : [])]
}
