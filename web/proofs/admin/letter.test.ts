import { expect, test } from 'vitest'
import type { Proof } from '../../../contract/proofs.ts'
import { translator } from '../../../contract/words.ts'
import { letterOf } from './letter.ts'

const order = { quantity: 3, amount: 47, paid: 447 }
const proofOf = (...states: string[]) =>
  ({
    number: 'P-ED3B364A',
    store: { name: 'Chaabi', upiId: 'shop@ybl' },
    request: { amount: 400, utr: '402613834582', filedAt: '2026-11-23T07:56:00.000Z', paidTo: null },
    bank: [],
    spent: [{ ...order, claims: states.map((state) => ({ state })) }],
  }) as unknown as Proof

test('the letter says what was delivered when, and which complaints are open', () => {
  const said = letterOf(translator('en'), proofOf('open', 'refunded', 'open'))
  expect(said).toContain(
    '3 keys were bought with it and other credit of the same buyer. Each was delivered when it was bought.',
  )
  expect(said).toContain('Complaints of the buyer that are open: 2.')
})

test('the letter says of an alert alone that no statement shows the money, because an alert can be forged', () => {
  const alert = { source: 'alert', day: '2026-11-23', at: null, payerName: 'RAVI', payerVpa: 'ravi@ybl' }
  const statement = { ...alert, source: 'statement', payerName: 'ASHA' }
  const said = (...bank: object[]) => letterOf(translator('en'), { ...proofOf(), bank } as Proof).join(' ')
  expect(said(alert)).toContain('No statement shows this money yet.')
  expect(said(alert, statement)).toContain('This money came on 23\u00A0Nov\u00A02026 from ASHA (ravi@ybl).')
})

// jackocnr/intl-tel-input#116: digits behind a name in Urdu are drawn before it
test('the letter keeps a UPI ID behind a name in Urdu', () => {
  const [upiId, name] = ['9876543210@ybl', 'محمد خان']
  const proof = { ...proofOf(), request: { ...proofOf().request, paidTo: { upiId, name } } }
  const drawn = ['\u2068', name, '\u2069, ', upiId].join('')
  expect(letterOf(translator('en'), proof)).toContain(`Chaabi sells licence keys online. Buyers pay to ${drawn}.`)
})

test('the letter says nothing of complaints that were answered', () => {
  expect(letterOf(translator('en'), proofOf('replaced')).join(' ')).not.toContain('Complaints')
})
