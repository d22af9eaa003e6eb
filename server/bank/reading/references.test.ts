import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOfNewerForm, readTransfer } from './references.ts'

/** `NARRATIONS=2000000 npx vitest run server/bank/reading/references.test.ts` reads as many as its goal names. */
const NARRATIONS = Number(process.env['NARRATIONS'] ?? 20_000)
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
    ['UPI/9021670011@ybl/Pay/Kotak Mahindra/632118464090/YBL3b51ff15b3d', '', 'ICICI', ['632118464090']],
    ['UPI/SURESH/s-1@okhdfc/Pay/AXIS BANK/632210357450/IBL3b51ff15b3d/', '', 'ICICI', ['632210357450']],
    ['UPI/kavya-/UPI/KARNATAKA BANK/632209128723/ICI3b51ff15b3d', '', null, ['632209128723']],
    ['UPI/632414132410/collect/XX.ibz@icici/ICICI Bank/ICIa2c8668c2a', '', 'ICICI', ['632414132410']],
    [
      'UPI/RAVI/9000000001@xyz/Paid via X/ACME BANK/632200300400/SOME2401010101A1B2C3D4E5F6 ZZZZ',
      '',
      'ICICI',
      ['632200300400'],
    ],
    ['UPI/RAVI/r@ybl/Pay/632111592003/ABC12345678 X/ACME BANK/632200300400/SOME2401010 1A', '', 'ICICI', NONE],
    ['NEFTINWARD HDFCN52026112700011199/RAMESH TRADERS', '', 'Bank of India', ['HDFCN52026112700011199']],
    ['RTGSINWARD HDFCR52026112700011199/RAMESH TRADERS', '', 'Bank of India', ['HDFCR52026112700011199']],
    ['UPI IN/632111592003/9060122275@ptsbi/qwe/5085', 'S98633619', 'Federal', ['632111592003']],
    ['FT IMPS/632315346643/DEEPA NAIR/HDFC', '', 'Federal', ['632315346643']],
    ['IFN/IMPS/632315346643/DEEPA NAIR/HDFC', '', 'Federal', ['632315346643']],
    ['FT IMPS/IFI/632315346643/DEEPA NAIR/keys', '', 'Federal', ['632315346643']],
    ['mPAY/UPI/632315346643/AAMIR W', '', null, ['632315346643']],
    ['UPI CREDIT 632315346643 RAVI', '', null, ['632315346643']],
    ['UPI INWARD/632315346643/RAVI', '', null, ['632315346643']],
    ['UPI Ref No 632315346643 RAVI', '', null, ['632315346643']],
    ['MB-IMPS-632315346643-RAVI', '', null, ['632315346643']],
    ['IMPSAB/632315346643/DEEPA NAIR', '', 'Union', ['632315346643']],
    ['MMT IMPS 632211671710 APIJQFQ MR RAVI  SBIN0003281', '', 'ICICI', ['632211671710']],
    ['MMT IMPS RAVI 632211671710', '', 'ICICI', NONE],
    ['IMPS-INW/632315346643/DEEPA NAIR', '', 'IDFC', ['632315346643']],
    ['IMPS-INW/DEEPA NAIR/632315346643', '', 'IDFC', []],
    ['BY UPI/632315346643/CR/DEEPA NAIR', '', 'Central Bank', ['632315346643']],
    ['UPI:632212890010:9876501234@ybl(ANU 632309989203)', '', 'Karnataka', ['632212890010']],
    ['UPI-CR-632117500730-IMRAN-KVBL-1708155000018895-UPI', '632117500730', 'Karur Vysya', ['632117500730']],
    ['MPAYUPITRTR632110274730', '', 'UCO', ['632110274730']],
    ['TRANSFER FROM 97161234567/UPI/632110984010/CR/RAVI', '', 'Indian Bank', ['632110984010']],
    ['UPI/IOBA/632110984010/RAVI/UPI', '', 'South Indian', ['632110984010']],
    ['UPI TXN: /632110984010/RAVI', '', null, ['632110984010']],
    ['UPI/MUSKAN/BARB/622630462399/Sent', 'UPI-6237379201', 'Kotak', ['622630462399']],
    ['UPI/DEEPAK N/631966612345/x', 'UPI-631900667799', 'Kotak', ['631966612345', '631900667799']],
    ['Recd:IMPS/621305736877/LANE/KKBK', '', 'Kotak', ['621305736877']],
    ['MMT/IMPS/632211223344/NA/Anil', '', 'ICICI', ['632211223344']],
    ['BY TRANSFER-INB IMPS630798765432/9876500000/XX1188/rent', '', 'SBI', ['630798765432']],
    ['By-S TFR UPI - STAN : 204417 RRN : 632809204417 Asha Rao', '', null, ['632809204417']],
    ['By-S TFR IMPS - STAN : 204417 RRN : 632809204417', '', null, ['632809204417']],
    ['By-S TFR UPI - STAN : 204417 RRN : 632809204418 Asha Rao', '', null, []],
    ['By-S TFR RTGS - STAN : 204417 RRN : 632809204417 UPI/632809204499', '', null, []],
    ['IMPSP2A6329142899387452001101', '', 'IndusInd', ['632914289938']],
    ['IMPSP2A63291428993874520011012', '', 'IndusInd', []],
    ['IMPS-632509877654-MOHAN-HDFC', '', 'HDFC', ['632509877654']],
    ['NEFT CR-CNRB0000001-GOPAL-ARJUN-CNRBH26324001122', '', 'HDFC', ['CNRBH26324001122']],
    ['BY TRANSFER-NEFT*HDFC0000240*N307262345678901*RAKESH', '', 'SBI', ['N307262345678901']],
    ['NEFT Cr-HDFCN52026324187729571-P S ANOOP', '', 'Yes', ['HDFCN52026324187729571']],
    ['RTGS/UTIBR52026112100123456/SHAH', '', 'Axis', ['UTIBR52026112100123456']],
    ['NEFT_IN:null//SBIN526331718369012/SBIN/TARUN SHAH', '', 'PNB', ['SBIN526331718369012']],
    // The bank's own number in the column
    ['NEFT HDFCH26320998877 PRISM', 'MAHBH26320001122', 'Bank of Maharashtra', ['HDFCH26320998877']],
    ['IMPS-RECD-632212890010-ANVI-HDFC-x', 'IMPS-632212890010', 'Kotak', ['632212890010']],
    ['UPI/RAVI K/r@okhdfc/Pay/HDFCBANK/632212890010/HDF295d771680cd49/RAVI K', '', 'ICICI', ['632212890010']],
    ['NEFT Cr-SBIN0002288-A-B-SBINN5202611061 ValueDt 06/11/2026 RefSBINN5202611061', '', 'HDFC', ['SBINN5202611061']],
    ['NEFT/010704772018/BKS/UNION BANK OF INDIA/x//NA', '-', 'Axis', ['010704772018']],
    ['NEFT:ZENITH FOODS HDFCH26307123456', '', 'Union', ['HDFCH26307123456']],
    ['NFT/SHORELINE/ICICN52026112699887766/ICIC', 'S1240001', 'Federal', ['ICICN52026112699887766']],
    ['Money received fromRAVIUPI ID: r@yblUPI Ref No: 632212890010', '', null, ['632212890010']],
    ['MPAYUPITRTR632212890010REENA DEVI', '', 'UCO', ['632212890010']],
    // Not references
    ['INF/INFT/000401098765/fees/LATA', '000401098765', 'ICICI', NONE],
    ['UPI/CR/000000000000/A', '000000000000', 'SBI', NONE],
    ['UPI/CR/6305123456789/A', '6305123456789', 'SBI', NONE],
    ['CHQ DEP 123456', '0000000000123456', 'HDFC', NONE],
    ['UPI/A/632222222222/x/632111111111/ICI3b51ff15b3d/A', '', 'ICICI', NONE],
    ['UPI/A/632222222222/x/632111111111/ICI3b51ff15b3d/A', '', null, NONE],
    ['NEFT CR-SBIN0002288-A-SBINN5202611061 Value Dt 06/11/2026 Ref SBINN5202611062', '', 'HDFC', NONE],
    ['NEFT/632111111111/BKS/UNION BANK OF INDIA', '', null, NONE],
    ['NEFT:HDFCH26307123456 HDFCH26307123457', '', 'Union', NONE],
    ['NFT/ICICN52026112699887766/ICIC', '', 'Federal', NONE],
    ['NFT/A/ICICN52026112699887766/ICIC/HDFCH26307123456/HDFC', '', 'Federal', NONE],
    ['Money received fromUPI Ref No: 632111111111UPI ID: r@yblUPI Ref No: 632222222222', '', null, NONE],
    ['MPAYUPITRTR6322128900109 TAILORS', '', 'UCO', NONE],
    ['NEFT CR-CNRB0000001-632111111111', '', 'HDFC', NONE],
    ['RAVI KUMAR UPI/CR/632111111111/x', '', null, NONE],
    ['CASH DEP 632111111111', '', null, NONE],
    ['UPI/RAVI/Pay/632111111111', '', 'ICICI', NONE],
    ['UPI/632111111111/632111111112/Pay', '', 'ICICI', NONE],
    ['UPI/ravi@ybl/632111111111/AXIS BANK', '', 'ICICI', NONE],
    ['UPI/RAVI/632111111111/AXIS BANK', '', 'ICICI', NONE],
    ['UPI/RAVI/632111111111/Pay', '', null, NONE],
    ['UPI/ravi@ybl/a/b/632111111111/ABC12345678/AXIS BANK/632222222222/ICI3b51ff15b3d', '', 'ICICI', NONE],
    ['UPI/632111111111/Pay/AXIS BANK/632222222222/ICI3b51ff15b3d', '', 'ICICI', NONE],
    ['UPI/CR/UPI/RAVI/632111111111', '', null, NONE],
    ['UPI/IN/-632111111111-/KARNATAKA BANK/632222222222/ICI3b51ff15b3d9/', '', null, NONE],
  ])('of "%s" with column "%s" at %s is %j', (narration, column, bank, expected) => {
    expect(refs(narration, column, bank)).toEqual(expected)
  })

  test('behind a name is the bank’s in ICICI’s older short form alone', () => {
    const [short, newer] = ['UPI/SURESH PATIL/632245667788/Pay', 'UPI/a@ybl/Pay/AXIS BANK/632118464090/YBL3b51ff15b3d']
    expect(readTransfer(short, '', 'ICICI').refs).toEqual(['632245667788'])
    // A row that was cut in a file of today ends with what the payer wrote
    expect(isOfNewerForm(newer)).toBe(true)
    expect(isOfNewerForm(short)).toBe(false)
    for (const cut of [short, 'UPI/SURESH PATIL/632999999999', 'UPI/SURESH PATIL/632999999999/AX'])
      expect(readTransfer(cut, '', 'ICICI', true).refs).toEqual(NONE)
    expect(readTransfer(newer, '', 'ICICI', true).refs).toEqual(['632118464090'])
    for (const bank of [null, 'SBI', 'Axis', 'Yes', 'HDFC']) expect(readTransfer(short, '', bank).refs).toEqual(NONE)
  })

  test.each([
    ['REV-UPI-50100447981632-SHOP@PTYS-221757331258-REVERSAL', 'reversal'],
    ['REV-UPI/1 GGN/659312607863/COMPLAIN', 'reversal'],
    ['UPI/RVSLBank Account XX/Payment from Ph/HDFC BANK LTD', 'reversal'],
    ['UPI/RVSL632437768158/a wallet /ravi16//ICIRZPUPITRANSFERQEpGt3SvO', 'reversal'],
    ['UPI/RFNDPARKPL/parkplusio.pay', 'reversal'],
    ['UPI/RVSLDUMMY /XXXX0004', 'reversal'],
    ['NEFT RETURN-CITIN26320912345-x', 'reversal'],
    ['IMPS REFUND 632509877654', 'reversal'],
    ['CASHBACK FROM SHOP', 'reversal'],
    ['Amount credited for reversal of UPI/632111111111', 'reversal'],
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
  /** Makes a name as banks print it: cut, and without the marks between columns. */
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

  const today: typeof layouts = [
    ['ICICI', () => '-', ({ ref, vpa, note }) => `UPI/${vpa}/${note}/AxisBankLtd/${ref}/AXIa2c8668c2a40ee04a2`],
    ['ICICI', () => '-', ({ ref, vpa, note }) => `UPI/${vpa}/${note}/HDFC BANK/${ref}/YBL3b51ff15b3d9779d3b51/`],
    ['ICICI', () => '-', ({ ref, name, vpa, note }) => `UPI/${name}/${vpa}/${note}/AXIS BANK/${ref}/IBL3b51ff15b3`],
    ['ICICI', () => '-', ({ ref, name, note }) => `UPI/${name}/${note}/KARNATAKA BANK/${ref}/ICI3b51ff15b3d9/`],
    ['ICICI', () => '-', ({ ref, note }) => `MMT/IMPS/${ref}/${note}/IMRAN SHE/HDFC BANK`],
    ['Federal', () => 'S98633619', ({ ref, vpa, note }) => `UPI IN/${ref}/${vpa}/${note}/5085`],
    ['Karnataka', () => '', ({ ref, vpa, note }) => `UPI:${ref}:${vpa}(${note})`],
    ['Karur Vysya', (ref) => ref, ({ ref, name, note }) => `UPI-CR-${ref}-${name}-KVBL-1708155000018895-${note}`],
    ['Karur Vysya', () => '', ({ ref, name, note }) => `UPI-CR-${ref}-${name}-KVBL-1708155000018895-${note}`],
    [
      'Indian Bank',
      () => '',
      ({ ref, name, vpa, note }) => `TRANSFER FROM 97161234567/UPI/${ref}/CR/${name}/UTIB/${vpa}/${note}`,
    ],
    ['Fino', () => '', ({ ref, name, vpa }) => `Money received from${name}UPI ID: ${vpa}UPI Ref No: ${ref}`],
    ['South Indian', () => '', ({ ref, name, note }) => `UPI/IOBA/${ref}/${name}/${note}`],
  ]
  const unnamed = [...layouts, ...today].filter(([bank]) => !['HDFC', 'Kotak', 'Yes'].includes(bank))
  const everywhere = [
    ...layouts,
    ...today,
    ...unnamed.map(([, column, line]): (typeof layouts)[number] => ['', column, line]),
  ]

  const MARKS = ['/', '/', '-', ':', ' ', '(', ')', '@', '//']
  const LABELS = ['UPI', 'UPI/CR', 'CR', 'IMPS', 'P2A', 'RRN', 'REV', 'From:', 'IN', 'AXIS BANK', 'UTIB0000123', 'HDFC']
  const IDS = ['ICI3b51ff15b3d9779d', 'N307262345678901', 'a@ybl', `${STRANGER}@ybl`, 'Pay', 'x']
  const NUMBERS = [STRANGER, '632888888888', `/${STRANGER}/`, `-${STRANGER}-`, `UPI/${STRANGER}`, `0000${STRANGER}`]
  const pieces = fc.constantFrom(...MARKS, ...LABELS, ...IDS, ...NUMBERS, STRANGER)
  const hostile = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('').slice(0, 50))
  /** How many of them have none. */
  function readAll(note: fc.Arbitrary<string>, times: number, rows = everywhere): number {
    let none = 0
    const given = fc.record({ ref: rrn, name: payer, vpa, note })
    fc.assert(
      fc.property(fc.constantFrom(...rows), given, ([bank, column, line], of) => {
        const read = readTransfer(line(of), column(of.ref), bank === '' ? null : bank).refs

        if (read.length === 0) none += 1
        else expect(read).toEqual([of.ref])
      }),
      { numRuns: times },
    )
    return none
  }

  test(`of ${NARRATIONS.toLocaleString('en-IN')} rows with hostile notes is the bank’s, or seldom none`, () => {
    const none = readAll(hostile, NARRATIONS)
    expect(none / NARRATIONS).toBeLessThan(0.005)
  }, 3_600_000)

  test('is the bank’s or none, where a note copies the bank’s end of a row', () => {
    const twice = ['ICICI', ''].map((bank): (typeof layouts)[number] => [
      bank,
      () => '-',
      ({ ref, name, note }) => `UPI/A${name}/a@ok/${note}/AXIS BANK/${ref}/HDF3b51ff15b3/A${name}`,
    ])
    const copied = fc.constantFrom('x', 'x/y', 'x/y/z', '').map((lead) => `${lead}/${STRANGER}/ICI3b51ff15b3d9779d`)
    readAll(
      fc
        .tuple(hostile, copied, fc.constantFrom('', '/', '/AXIS BANK', '/a', '/REV A', '/AREV A'))
        .map((parts) => parts.join('')),
      5_000,
      [...everywhere, ...twice, ...twice, ...twice],
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

test('a row that was cut behind the payer’s bank has no reference out of a note, whatever the payer is called', () => {
  for (const [payer, cut] of [
    ['AXIS', 'AXIS BANK'],
    ['IDBI', 'IDBI BANK LTD'],
    ['', 'HDFC BANK'],
  ])
    expect(readTransfer(`UPI/${payer}/a/SBIN/632110000009/IBLa69d061462f2/${cut}`, '', 'ICICI').refs).toEqual([])
})
