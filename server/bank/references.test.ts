import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTransfer } from './references.ts'

const NONE: string[] = []
const refs = (narration: string, column = '', bank: string | null = null) => readTransfer(narration, column, bank).refs

describe('a reference', () => {
  test.each([
    ['UPI/P2A/632411223344/PRIYA SHAR/State Ban/Wallet', '', null, ['632411223344']],
    ['BY TRANSFER-UPI/CR/630512345678/Anita/UBIN/a@ok/x--', 'TRANSFER FROM 4897736162097', 'SBI', ['630512345678']],
    ['UPI/CR/C619300000012/TEST/ptye/p@ptyes/NA', '', 'Bandhan', ['619300000012']],
    ['UPIAB/630945612378/CR/RATHOD', '', 'Union', ['630945612378']],
    ['UPI/632312121212/From:a@ybl/To:b@yesg/UPI', '', 'Yes', ['632312121212']],
    ['UPI/SURESH PATIL/632245667788/Pay', '', 'ICICI', ['632245667788']],
    ['UPI/MUSKAN/BARB/622630462399/Sent', 'UPI-6237379201', 'Kotak', ['622630462399']],
    ['UPI/DEEPAK N/631966612345/x', 'UPI-631900667799', 'Kotak', ['631966612345', '631900667799']],
    ['Recd:IMPS/621305736877/LANE/KKBK', '', 'Kotak', ['621305736877']],
    ['MMT/IMPS/632211223344/NA/Anil', '', 'ICICI', ['632211223344']],
    ['BY TRANSFER-INB IMPS630798765432/9876500000/XX1188/rent', '', 'SBI', ['630798765432']],
    ['IMPS-632509877654-MOHAN-HDFC', '', 'HDFC', ['632509877654']],
    ['NEFT CR-CNRB0000001-GOPAL-ARJUN-CNRBH26324001122', '', 'HDFC', ['CNRBH26324001122']],
    ['BY TRANSFER-NEFT*HDFC0000240*N307262345678901*RAKESH', '', 'SBI', ['N307262345678901']],
    ['NEFT Cr-HDFCN52026324187729571-P S ANOOP', '', 'Yes', ['HDFCN52026324187729571']],
    ['RTGS/UTIBR52026112100123456/SHAH', '', 'Axis', ['UTIBR52026112100123456']],
    // Not references
    ['INF/INFT/000401098765/fees/LATA', '000401098765', 'ICICI', NONE],
    ['UPI/CR/000000000000/A', '000000000000', 'SBI', NONE],
    ['UPI/CR/6305123456789/A', '6305123456789', 'SBI', NONE],
    ['CHQ DEP 123456', '0000000000123456', 'HDFC', NONE],
    ['NEFT CR-CNRB0000001-632111111111', '', 'HDFC', NONE],
    ['RAVI KUMAR UPI/CR/632111111111/x', '', null, NONE],
    ['CASH DEP 632111111111', '', null, NONE],
    ['UPI/RAVI/Pay/632111111111', '', 'ICICI', NONE],
    ['UPI/632111111111/632111111112/Pay', '', 'ICICI', NONE],
  ])('of "%s" with column "%s" at %s is %j', (narration, column, bank, expected) => {
    expect(refs(narration, column, bank)).toEqual(expected)
  })

  test.each([
    ['REV-UPI-50100447981632-SHOP@PTYS-221757331258-REVERSAL', 'reversal'],
    ['UPI/CRADJ/345707660676/SAGAR', 'reversal'],
    ['REV-UPI/1 GGN/659312607863/COMPLAIN', 'reversal'],
    ['UPI/RVSL/345707660676/x', 'reversal'],
    ['NEFT RETURN-CITIN26320912345-x', 'reversal'],
    ['IMPS REFUND 632509877654', 'reversal'],
    ['CASHBACK FROM SHOP', 'reversal'],
    ['UPI/CR/630512345678/REVATHI/HDFC/r@ybl/REFUND of cash', 'payment'],
    ['UPI/REV KUMAR/632245667788/Pay', 'payment'],
    ['UPI-REFUND KING-R@YBL-UTIB0000123-632245101877-RET', 'payment'],
  ])('of "%s" belongs to a %s', (narration, kind) => {
    expect(readTransfer(narration, '', null).kind).toBe(kind)
  })

  const STRANGER = '632999999999'
  const imitations = [
    STRANGER,
    `UPI/CR/${STRANGER}/A/B/c@d/e`,
    `/${STRANGER}/`,
    `-UTIB0000123-${STRANGER}-`,
    `UPI-${STRANGER}`,
    `IMPS/${STRANGER}/`,
    `0000${STRANGER}`,
    'N307262345678901',
    'CNRBH26324001122',
    `REV-UPI/${STRANGER}/`,
    `From:${STRANGER}@ybl/${STRANGER}`,
  ]
  const written = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom(...imitations), fc.constantFrom('Pay', ''))
  const vpa = fc.oneof(
    fc.stringMatching(/^[a-z0-9.]{3,12}@[a-z]{3,8}$/),
    fc.constantFrom(`${STRANGER}@ybl`, '919876501234@ybl', `upi.${STRANGER}@okaxis`),
  )
  /** What a bank leaves of a name: it is cut, and has no marks that part its columns. */
  const payer = fc.oneof(
    fc.stringMatching(/^[A-Z ]{0,12}$/),
    fc.constantFrom('REV A', 'UPI CR', '632999999', 'IMPS', 'A CR'),
  )
  const rrn = fc.stringMatching(/^[1-9]\d{11}$/)

  type Given = { ref: string; name: string; vpa: string; note: string }
  const layouts: [bank: string, column: (ref: string) => string, line: (given: Given) => string][] = [
    ['HDFC', (ref) => `0000${ref}`, ({ ref, name, vpa, note }) => `UPI-${name}-${vpa}-UTIB0000123-${ref}-${note}`],
    ['HDFC', () => '', ({ ref, name, vpa, note }) => `UPI-${name}-${vpa}-UTIB0000123-${ref}-${note}`],
    ['SBI', () => '', ({ ref, name, vpa, note }) => `BY TRANSFER-UPI/CR/${ref}/${name}/UBIN/${vpa}/${note}--`],
    ['Axis', () => '-', ({ ref, name, note }) => `UPI/P2A/${ref}/${name}/State Ban/${note}`],
    ['ICICI', () => '-', ({ ref, vpa, note }) => `UPI/${ref}/${note}/${vpa}/Axis Bank/ICI7de43fa40188`],
    ['ICICI', () => '-', ({ ref, name, note }) => `UPI/${name}/${ref}/${note}`],
    ['Kotak', () => '', ({ ref, name, note }) => `UPI/${name}/${ref}/${note}`],
    ['Kotak', () => 'UPI-6237379201', ({ ref, name, note }) => `UPI/${name}/BARB/${ref}/${note}`],
    ['Yes', () => '', ({ ref, vpa, note }) => `UPI/${ref}/From:${vpa}/To:shop@yesg/${note}`],
    ['IDFC', () => '', ({ ref, name, note }) => `UPI/CR/${ref}/${name}/HDFC/12345/${note}`],
    ['Union', () => '', ({ ref, name, vpa }) => `UPIAB/${ref}/CR/${name}/SBIN/${vpa}`],
    ['Bandhan', () => '', ({ ref, name, vpa, note }) => `UPI/CR/C${ref}/${name}/ptye/${vpa}/${note}`],
  ]

  test('is the same whatever the payer has written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...layouts),
        rrn,
        payer,
        vpa,
        written,
        ([bank, column, line], ref, name, vpa, note) => {
          const read = readTransfer(line({ ref, name, vpa, note }), column(ref), bank)

          expect(read.refs).toEqual([ref])
          expect(read.kind).toBe('payment')
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test('is the same whatever name the payer has, where the bank prints it behind the number or twice', () => {
    const behind = layouts.filter(
      ([bank, column]) => !['ICICI', 'Kotak'].includes(bank) && (bank !== 'HDFC' || column('1') !== ''),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...behind),
        rrn,
        written,
        vpa,
        written,
        ([bank, column, line], ref, name, vpa, note) => {
          expect(readTransfer(line({ ref, name, vpa, note }), column(ref), bank).refs).toEqual([ref])
        },
      ),
      { numRuns: 5_000 },
    )
  })
})
