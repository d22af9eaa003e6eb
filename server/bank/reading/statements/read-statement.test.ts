import { describe, expect, test } from 'vitest'
import { readStatement } from '../../../../test/worlds/statements.ts'
import type { Statement } from './statement.ts'

const credits = (statement: Statement) => statement.lines.filter(({ direction }) => direction === 'credit')
const said = (statement: Statement) =>
  credits(statement).map(({ amountPaise, refs, proof }) => [amountPaise, refs.join('+'), proof])
const unreadable = (text: string) => {
  try {
    readStatement(text)
  } catch (error) {
    return error
  }
  return undefined
}

const HEADING = 'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance'
const upi = (ref: string, note = 'PAY') => `UPI-RAVI KUMAR-RAVI@OKAXIS-UTIB0000123-${ref}-${note}`

describe('a statement that is not in the corpus', () => {
  test('names the holder of its account, without a title, if nothing follows it', () => {
    const row = '05/11/2026,UPI/CR/630512345678/A/HDFC/x,,5.00,5.00'
    const holder = (above: string) =>
      readStatement(`${above}\nTxn Date,Particulars,Debit,Credit,Balance\n${row}`).holder

    expect(holder('Account Name,:,Mr. ARJUN SHOP')).toBe('ARJUN SHOP')
    expect(holder('Name :- M/S ARJUN & SONS')).toBe('M/S ARJUN & SONS')
    expect(holder('Customer Name : ARJUN SHOP,Joint : NEHA')).toBe('ARJUN SHOP')
    expect(holder('खाताधारक का नाम : रमेश कुमार')).toBe('रमेश कुमार')
    for (const none of [
      'Name : ARJUN Branch : NO PLACE',
      'Branch Name : NO PLACE',
      'Name : <b>x</b>',
      'Name : 12345',
      'Nominee Name : NEHA',
    ])
      expect(holder(none)).toBeNull()
  })

  test('with a deposit that the bank calls outgoing shows money that came back', () => {
    const rows = [
      '01-11-2026,UPIOUT/632209065930/UPI/5411,,50.00,150.00',
      '02-11-2026,UPI IN/632209065931/a@ybl/x,,5.00,155.00',
    ]
    const statement = readStatement(['Date,Particulars,Withdrawals,Deposits,Balance', ...rows].join('\n'))

    expect(credits(statement).map(({ refs, kind }) => [...refs, kind])).toEqual([
      ['632209065930', 'reversal'],
      ['632209065931', 'payment'],
    ])
  })

  test('is read with semicolons, quoted line breaks, NBSP, lakh commas and Windows line ends', () => {
    const text = [
      '"प्रिय ग्राहक\nखाता संख्या : 50100012345678";;',
      'अवधि: 01/11/2026 से 30/11/2026',
      'Tran Date;Particulars;Ref No;Debit (₹);Credit (₹);Balance (₹)',
      '01/11/2026;"UPI/CR/630512345678/ANITA/UBIN/a@ok\nicici/note";;;1,00,000.00;\u00A01,00,500.00',
      '02/11/2026;UPI/DR/630611112222/Tea/YESB/t@x/UPI;;500.00;;1,00,000.00',
    ].join('\r\n')

    const statement = readStatement(text)

    expect(statement).toMatchObject({
      tail: '5678',
      balances: 'proven',
      covers: { from: '2026-11-01', to: '2026-11-30' },
    })
    expect(said(statement)).toEqual([[1_00_000_00, '630512345678', 'none']])
  })

  test.each([
    ['Account Statement for the Account:,4613000100051407', '1407'],
    ['Statement of Transactions in Savings Account XXXXXXXX0482 in INR', '0482'],
    ['Transactions List -   -A SHOP (INR) - 037505012379', '2379'],
    ['Account : 12 months', null],
  ])('names its account as %s', (about, tail) => {
    const rows = ['Date,Particulars,Debit,Credit,Balance', '01/11/2026,UPI/630512345678/A,,500,1500']
    expect(readStatement([about, ...rows].join('\n')).tail).toBe(tail)
  })

  test('of money that is owed, printed without a sign, proves no credit', () => {
    const rows = [
      ['UPI/632111592000/A', '', '48.00', '1000.00'],
      ['UPI/632111592001/A', '', '200.00', '800.00'],
      ['UPI/632111592002/T', '50.00', '', '850.00'],
      ['UPI/632111592003/A', '', '100.00', '750.00'],
      ['UPI/632111592004/T', '30.00', '', '780.00'],
    ].map(([narration, ...money], at) => `${17 + at}-11-2026,${narration},${money.join(',')}`)

    const statement = readStatement(['Date,Particulars,Withdrawals,Deposits,Balance', ...rows].join('\n'))

    expect(statement).toMatchObject({ balances: 'broken', swapped: false })
    expect(said(statement)).toEqual(
      [48_00, 200_00, 100_00].map((paise, at) => [paise, `63211159200${[0, 1, 3][at]}`, 'none']),
    )
  })

  test('with money that came under the name of a debit shows money that came back', () => {
    const narrations = [
      'TO TRANSFER-UPI/DR/632111592001/T/YESB/t@ybl/x',
      'WDL TFR UPI/DR/632111592001/T',
      'TRANSFER TO 97161234567/UPI/632111592001/DR/T',
      'UPI/DR/632111592001/T/YESB',
      'UPIAR/632111592001/DR/T/YESB',
      'UPI-DR-632111592001-T-YESB',
    ]
    for (const narration of narrations) {
      const text = `Date,Particulars,Debit,Credit,Balance\n1/11/26,x,,5.00,100.00\n2/11/26,${narration},,50.00,150.00`

      expect(credits(readStatement(text)).map(({ kind, refs }) => [kind, ...refs])).toEqual([
        ['payment'],
        ['reversal', '632111592001'],
      ])
    }
  })

  test('is of the bank of its IFSC, whatever bank its address names', () => {
    const text = [
      'Account Name\t:\tMr. SHOP',
      'Address\t:\tOPP HDFC BANK, MG ROAD',
      'IFS Code\t:\t_SBIN0001234',
      'Txn Date\tValue Date\tDescription\tRef No./Cheque No.\tDebit\tCredit\tBalance',
      '1 Nov 2026\t1 Nov 2026\tBY TRANSFER-UPI/CR/630512345678/A/UBIN/a@ok/x--\tTRANSFER FROM 1\t\t200.00\t7,650.00',
    ].join('\n')

    expect(readStatement(text)).toMatchObject({ layout: 'sbi', bank: 'SBI' })
  })

  test('with the balance before it among the credits reads that as no credit', () => {
    const text = [
      'Date,Particulars,Withdrawals,Deposits,Balance',
      '01-11-2026,B/F,,20000.00,20000.00',
      '02-11-2026,UPI/632111592001/CR/A,,200.00,20200.00',
    ].join('\n')

    expect(said(readStatement(text))).toEqual([[200_00, '632111592001', 'statement']])
  })

  test('whose dates Excel has changed in part is refused', () => {
    const text = [
      'Date,Particulars,Withdrawals,Deposits,Balance',
      '2026-05-11,UPI/632111592001/CR/A,,200.00,20200.00',
      '18/11/2026,UPI/632111592002/CR/A,,200.00,20400.00',
    ].join('\n')

    expect(unreadable(text)).toMatchObject({ message: expect.stringContaining('date on line 3') })
  })

  test('that Excel has saved is read, though its footer names the period with the day first', () => {
    const text = [
      'Date,Particulars,Withdrawals,Deposits,Balance',
      '2026-11-05,UPI/632111592001/CR/A,,200.00,20200.00',
      '2026-11-18,UPI/632111592002/CR/A,,200.00,20400.00',
      '01/11/2026 to 30/11/2026,,,,',
    ].join('\n')

    expect(said(readStatement(text)).map(([, ref]) => ref)).toEqual(['632111592001', '632111592002'])
  })

  test('with a bare amount and nothing that says its direction is not read as credits', () => {
    const statement = readStatement('Date,Description,Amount,Balance\n01/11/2026,UPI/630512345678/x,500.00,1500.00')

    expect(statement.lines).toEqual([])
    expect(statement.problems).toHaveLength(1)
  })

  test('with bare amounts is read by its balances, and nothing is read that they do not tell', () => {
    const ref = (n: number) => `63051234567${n}`
    const row = (n: number, sum: string, balance: string, note = 'x') =>
      `0${n}/11/2026,UPI/CR/${ref(n)}/${note},${sum},${balance}`
    const read = (...rows: string[]) => readStatement(['Date,Description,Amount,Balance', ...rows].join('\n'))
    const all = [
      row(1, '500.00', '1500.00 Cr.'),
      row(2, '300.00', '1200.00 Cr.'),
      row(3, '"1,000.00"', '"2,200.00 Cr."'),
    ]

    for (const rows of [all, all.toReversed()]) {
      const { lines, balances, problems } = read(...rows)
      expect(balances).toBe('proven')
      expect(problems).toHaveLength(1)
      expect(lines.map(({ direction, amountPaise }) => `${direction} ${amountPaise}`).toSorted()).toEqual([
        'credit 100000',
        'debit 30000',
      ])
      expect(lines.find(({ direction }) => direction === 'credit')?.refs).toEqual([ref(3)])
    }
    for (const note of ['x 90000.00', 'x,90000.00', 'x 90000.00 91000.00'])
      for (const { direction, amountPaise } of read(...all.slice(0, 2), row(3, '10.00', '1210.00', note)).lines)
        if (direction === 'credit') expect(amountPaise).toBe(1_000)
  })

  test('of equal amounts is read as printed, though its labels swapped would add up from below', () => {
    const refs = [1, 2, 3, 4, 5].map((n) => `63224510187${n}`)
    // Of the bank that swaps them
    const rows = refs.map((ref, n) => `18-11-2026,-,UPI/P2A/${ref}/A/B/x,,100.00,${1100 + 100 * n}.00,248`)

    const statement = readStatement(['Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL', ...rows].join('\n'))

    expect(statement).toMatchObject({ balances: 'proven', swapped: false })
    expect(said(statement).map(([, ref]) => ref)).toEqual(refs)
  })

  test('proves its first row by a stated opening balance, wherever it stands', () => {
    const rows = [
      `18/11/26,${upi('632245101877')},0000632245101877,18/11/26,,500.00,1500.00`,
      `19/11/26,${upi('632245101878')},0000632245101878,19/11/26,,500.00,2000.00`,
    ]
    const before = ['Opening Balance : 1000.00 Limit : 0.00', HEADING, ...rows]
    const inside = [HEADING, '18/11/26,OPENING BALANCE,,,,,1000.00', ...rows]
    const behind = [HEADING, ...rows, 'Opening Balance,Dr Count', '1000.00,0']
    const none = [HEADING, ...rows]
    const wrong = [HEADING, ...rows, 'Opening Balance,999.00']

    expect([before, inside, behind].map((text) => said(readStatement(text.join('\n'))))).toEqual(
      [1, 2, 3].map(() => [
        [500_00, '632245101877', 'statement'],
        [500_00, '632245101878', 'statement'],
      ]),
    )
    expect(said(readStatement(none.join('\n')))[0]?.[2]).toBe('none')
    expect(said(readStatement(none.join('\n')))[1]?.[2]).toBe('statement')
    expect(readStatement(none.join('\n'), { closingBefore: 1000_00 }).lines[0]?.proof).toBe('statement')
    expect(readStatement(none.join('\n'), { closingBefore: 999_00 })).toMatchObject({ balances: 'proven' })
    expect(readStatement(none.join('\n'), { closingBefore: 999_00 }).lines[0]?.proof).toBe('none')
    expect(readStatement(wrong.join('\n'))).toMatchObject({ balances: 'broken', brokenAt: 2 })
  })

  test('that lost its last rows is not proven where it states another closing balance', () => {
    const rows = [
      `18/11/26,${upi('632245101877')},0000632245101877,18/11/26,,500.00,1500.00`,
      `19/11/26,${upi('632245101878')},0000632245101878,19/11/26,,500.00,2000.00`,
      `20/11/26,${upi('632245101879')},0000632245101879,20/11/26,100.00,,1900.00`,
    ]
    const stating = (listed: readonly string[]) => [
      ['Closing Balance : 1900.00', HEADING, ...listed],
      [HEADING, ...listed, 'Opening Balance,Dr Count,Closing Bal', '1000.00,1,1900.00'],
      [HEADING, ...listed, 'Opening balance,,,,,,"1,000.00"', 'Closing balance,,,,,,"1,900.00",CR'],
      [HEADING, ...listed, '20/11/26,CLOSING BALANCE,,,,,1900.00'],
      [HEADING, ...listed, '20/11/26,CLOSING BALANCE,,,100.00,1000.00,1900.00'],
      ['Closing Balance : 1900.00', HEADING, ...listed.toReversed()],
    ]
    const read = (listed: readonly string[]) => stating(listed).map((text) => readStatement(text.join('\n')))

    expect(read(rows).map(({ balances }) => balances)).toEqual(Array.from({ length: 6 }, () => 'proven'))
    for (const [nth, cut] of read(rows.slice(0, 2)).entries()) {
      expect(cut, String(nth)).toMatchObject({ balances: 'broken', closing: null })
      expect(cut.lines.map(({ proof }) => proof)).toEqual(['none', 'none'])
    }
    expect(readStatement(stating(rows.slice(0, 2))[0]?.join('\n') ?? '').brokenAt).toBe(4)
    // Nor is a balance stated by a heading of that name, with the balance of another row somewhere below it
    const paged = [HEADING, ',B/F,,,,,1000.00', ...rows.slice(0, 2), HEADING, ',B/F,,,,,2000.00', ...rows.slice(2)]
    expect(readStatement(paged.join('\n')).balances).toBe('proven')
    // A comma inside an amount, without quotes, says nothing
    for (const label of ['Closing Balance', 'Opening Balance'])
      expect(readStatement([`${label} : 1,900.00`, HEADING, ...rows].join('\n')).balances).toBe('proven')
    // An overdrawn balance is stated without its side
    const owed = [HEADING, '18/11/26,CHARGES,,18/11/26,10.00,,-60.00', '19/11/26,CHARGES,,19/11/26,10.00,,-70.00']
    expect(readStatement([...owed, 'Closing Balance,70.00'].join('\n')).balances).toBe('proven')
  })

  test('whose balances stand on some lines only says so, and what to choose', () => {
    const rows = [
      `18/11/26,${upi('632245101877')},0000632245101877,18/11/26,,500.00,1500.00`,
      `19/11/26,${upi('632245101878')},0000632245101878,19/11/26,,500.00,`,
      `19/11/26,${upi('632245101879')},0000632245101879,19/11/26,,500.00,2500.00`,
    ]

    const statement = readStatement([HEADING, ...rows].join('\n'))

    expect(statement).toMatchObject({ balances: 'broken', brokenAt: 3 })
    expect(said(statement).map(([, , proof]) => proof)).toEqual(['none', 'none', 'none'])
    expect(statement.problems).toEqual([{ line: 3, text: expect.stringMatching(/^This line has no balance/) }])
  })

  test('keeps lines without an amount out, and its footer totals too', () => {
    const statement = readStatement(
      [
        HEADING,
        `18/11/26,${upi('632245101877')},0000632245101877,18/11/26,0.00,500.00,1500.00`,
        '18/11/26,LIEN MARKED,,18/11/26,0.00,0.00,1500.00',
        `19/11/26,${upi('632245101878')},0000632245101878,19/11/26,,250.00,1750.00`,
        ',Total,,,0.00,750.00,1750.00',
        'Grand total,,,,0.00,750.00,',
      ].join('\n'),
    )

    expect(statement.balances).toBe('proven')
    expect(said(statement).map(([amount]) => amount)).toEqual([500_00, 250_00])
  })

  test('is refused as a whole when a day cannot come first', () => {
    const text = `${HEADING}\n11/05/2026,A,,,,5.00,5.00\n11/18/2026,B,,,,5.00,10.00`

    expect(unreadable(text)).toMatchObject({ code: 'STATEMENT_UNREADABLE', message: expect.stringContaining('line 3') })
  })

  test.each([
    ['a PDF', '%PDF-1.7\nxyz', 'Choose the file itself'],
    ['an old Excel file', 'ÐÏ\u0011à¡±\u001Aá\0\0\0', 'save it as CSV'],
    ['an old Excel file, decoded as UTF-8', '\uFFFD\uFFFD\u0011\uFFFD\0\0', 'save it as CSV'],
    ['a web page', '<html><table><tr><td>1</td></tr></table></html>', 'copy, and paste'],
    ['OFX', '\nOFXHEADER:100\nDATA:OFXSGML\n\n<OFX><STMTTRN>', 'CSV, TSV, Excel or PDF'],
    ['OFX as XML', '<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?>\n<OFX>', 'CSV, TSV, Excel or PDF'],
    ['MT940', ':20:STMT0412\n:25:HDFC/50100\n:61:2612020212C250,00NTRF', 'CSV, TSV, Excel or PDF'],
    ['QIF', '!Type:Bank\nD02/12/2026\nT250.00\n^', 'CSV, TSV, Excel or PDF'],
    ['JSON', '[\n  {"amount": 250, "utr": "630512345678"}\n]', 'CSV, TSV, Excel or PDF'],
    ['nothing', '  \n ', 'is empty'],
    ['a letter', 'Dear customer,\nyour account is fine.\nYours', 'can’t read this statement'],
    ['too many lines', 'x\n'.repeat(20_001), '20000 lines'],
  ])('%s is refused in words', (_, text, words) => {
    expect(unreadable(text)).toMatchObject({ code: 'STATEMENT_UNREADABLE', message: expect.stringContaining(words) })
  })

  test('of an unknown layout gives its first rows, and is read by chosen columns', () => {
    const text = 'Ref;Day;What;Plus;Minus;Now\n630512345678;01/11/2026;RAVI;5.00;;15.00\n;02/11/2026;ATM;;5.00;10.00'

    expect(unreadable(text)).toMatchObject({
      extras: { details: { rows: expect.arrayContaining([['Ref', 'Day', 'What', 'Plus', 'Minus', 'Now']]) } },
    })

    const statement = readStatement(text, {
      columns: { reference: 0, date: 1, narration: 2, credit: 3, debit: 4, balance: 5 },
    })
    expect(said(statement)).toEqual([[5_00, '630512345678', 'none']])
    expect(statement.balances).toBe('proven')
  })

  test.each([
    'Creation time,Transaction ID,Name,Amount,Status\n"5 Nov 2026, 10:22",630512345678,632111111111,₹5.00,Completed',
    'amount,status,created_at,acquirer_data\n5.00,captured,05/11/2026 10:15,"{""rrn"":""630512345678"",""id"":""A""}"',
    'Date,Transaction Details,UTR No.,Type,Amount\n"Nov 5, 2026",Received from RAVI,630512345678,CREDIT,₹5.00',
    'Date,Transaction,Currency,Deposit,Withdrawal,Balance\n05/11/2026,UPI/630512345678/RAVI/x,INR,5.00,,5.00',
    'DAT_TXN,TXT_TXN_DESC,REF_TXN_NO,COD_DRCR,AMT_TXN_LCY,BAL\n05-NOV-2026,From RAVI,630512345678,C,5.00,5.00',
    'BankRRN,PayerVA,PayerAmount,TxnInitDate,TxnStatus\n630512345678,r@ybl,5.00,20261105101110,SUCCESS',
    'id,amount,status,created_at,rrn\n1,5.00,captured,1793855701,630512345678',
    'Ref#,Order Date & Time,Order Amount,Bank Ref No,Order Status\n1,5-11-2026 9:15,5.00,630512345678,Successful',
    'Event Type,Event Amount,Payment Time,Payment Utr,Status\nPAYMENT,5.00,2026-11-05T20:15:14Z,630512345678,SUCCESS',
    'PayU ID,AddedOn,Status,Amount,Merchant UTR,Bank Ref No\n40,2026-11-05 10:15:01,captured,5.00,X1,630512345678',
    'Transaction ID / RRN~Date~Payer~Amount~Type~Status\n630512345678~05/11/2026~r@upi~5.00~RECEIVE~Success',
    'Remitter Name,UTR No,Amount,Credit Date,Status\nRAVI,630512345678,5.00,05/11/2026 10:15,CREDITED',
  ])('is read under the headings of other apps and banks: %s', (text) => {
    expect(credits(readStatement(text))).toMatchObject([{ amountPaise: 5_00, refs: ['630512345678'] }])
  })

  test.each([
    'transactionTimestamp,Narration,referenceNumber,DebitAmount,CreditAmount,currentBalance',
    'Date,Narrative,RefNo,Payments,Receipts,ClosingBalance',
    'Date,TRAN RMKS,UTRNUMBER,Outflow,Inflow,Balance',
    'Date,Memo,RefID,Payment,Receipt,Balance',
  ])('is read with an amount that went and one that came under %s', (headings) => {
    const rows = ['13th Nov 2026,Shop,631712345671,2.00,,10.00', '14th Nov 2026,From RAVI,631812345678,,5.00,15.00']

    const statement = readStatement([headings, ...rows].join('\n'))

    expect(said(statement)).toEqual([[5_00, '631812345678', 'statement']])
    expect(statement.balances).toBe('proven')
  })

  test('of collected money has the reference of NEFT, and another app’s report has none of its payout', () => {
    const row = (first: string) =>
      readStatement(
        `${first},UTR No,Amount,Credit Date,Status\nRAVI,KKBKN52026110900112233,5.00,09/11/2026,CREDITED`,
      ).lines.map(({ refs }) => refs)

    expect(row('Remitter Name')).toEqual([['KKBKN52026110900112233']])
    expect(row('Customer Name')).toEqual([[]])
  })

  test.each(['PAY', 'Paid', 'SENT', 'Money sent'])('of an app reads no row of the type %s as a payment', (type) => {
    const text = `RRN,Date,Payee,Amount,Type,Status\n630512345678,05/11/2026,shop@upi,5.00,${type},Success`

    expect(credits(readStatement(text))).toEqual([])
  })

  test('names its account in a column, if all its rows have the same', () => {
    const tail = (other: string) =>
      readStatement(
        [
          'ACCOUNT NO.,TRAN DATE,TRAN PARTICULAR,DEBIT,CREDIT,BALANCE',
          '112233445566,03-11-2026,UPI/CR/630712345678/A,,5.00,15.00',
          `${other},04-11-2026,UPI/DR/630812345678/B,5.00,,10.00`,
        ].join('\n'),
      ).tail

    expect(tail('112233445566')).toBe('5566')
    expect(tail('112233440000')).toBeNull()
  })

  test('names its account behind “A/C”', () => {
    const text = 'A/C : 110033445566\nDate,Particulars,Debit,Credit,Balance\n03-11-2026,By UPI-630712345678,,5.00,15.00'

    expect(readStatement(text).tail).toBe('5566')
  })

  test('without a balance is never proven', () => {
    const statement = readStatement('Date,Description,Debit,Credit\n01/11/2026,UPI/CR/630512345678/A/x,,500.00')

    expect(statement.balances).toBe('none')
    expect(said(statement)).toEqual([[500_00, '630512345678', 'none']])
  })

  test('with money that came and went under one reference pays for nothing', () => {
    const statement = readStatement(
      [
        'Date,Description,Debit,Credit,Balance',
        '01/11/2026,UPI/CR/630512345678/A/HDFC/x,,500.00,1500.00',
        '02/11/2026,UPI/DR/630512345678/A/HDFC/x,500.00,,1000.00',
      ].join('\n'),
    )

    expect(credits(statement).map(({ kind }) => kind)).toEqual(['reversal'])
  })

  test('with delimiters that the payer wrote does not shift its columns', () => {
    const forged = upi('632245101877', 'X,18/11/26,0.00,90000.00,0000632111111111,91000.00')
    const text = [
      '  Date     ,Narration  ,Value Dat,Debit Amount ,Credit Amount ,Chq/Ref Number ,Closing Balance',
      `18/11/26,${forged},18/11/26,0.00,500.00,0000632245101877,1500.00`,
      `18/11/26,${upi('632245101878', 'A"B')},18/11/26,0.00,500.00,0000632245101878,2000.00`,
      `18/11/26,"${upi('632245101879').replace('PAY', '""x""')}",18/11/26,0.00,500.00,0000632245101879,2500.00`,
    ].join('\n')

    expect(said(readStatement(text)).map(([amount, ref]) => [amount, ref])).toEqual([
      [500_00, '632245101877'],
      [500_00, '632245101878'],
      [500_00, '632245101879'],
    ])
  })

  test('with a forged row in a line break is not proven', () => {
    const rest = ',0000632245101878,18/11/26,,500.00,2000.00'
    const text = [
      HEADING,
      `18/11/26,${upi('632245101877')},0000632245101877,18/11/26,,500.00,1500.00`,
      `18/11/26,${upi('632245101878')}`,
      `18/11/26,${upi('632111111111')},0000632111111111,18/11/26,,90000.00,91500.00${rest}`,
      `19/11/26,${upi('632245101879')},0000632245101879,19/11/26,,500.00,2500.00`,
    ].join('\n')

    const statement = readStatement(text)

    expect(said(statement).filter(([amount, , proof]) => amount === 90000_00 && proof !== 'none')).toEqual([])
  })

  test('pasted from a PDF with single spaces is read by its balances', () => {
    const text = [
      'State Bank of India Account No 00000030123454444',
      'Txn Date Value Date Description Ref No./Cheque No. Debit Credit Balance',
      'Opening Balance 1,000.00',
      '1 Nov 2026 1 Nov 2026 UPI/CR/630512345678/Anita/UBIN/anita.k@ok/P - 200.00 1,200.00',
      'aymen of 632999999999',
      '2 Nov 2026 2 Nov 2026 UPI/DR/630611112222/Tea/YESB/tea@ybl/UPI 50.00 - 1,150.00',
      '3 Nov 2026 3 Nov 2026 UPI/CR/6307987654',
      '4 Nov 2026 4 Nov 2026 UPI/CR/630798765433/Om/UBIN/om@ybl/x 350.00 1,500.00',
      'Page no. 1 of 1',
    ].join('\n')

    const statement = readStatement(text)

    expect(statement).toMatchObject({ bank: 'SBI', tail: '4444', balances: 'proven' })
    expect(said(statement)).toEqual([
      [200_00, '630512345678', 'statement'],
      [350_00, '630798765433', 'statement'],
    ])
  })

  test('pasted with dates that a narrow column broke takes the year from the line below, never from the day', () => {
    const text = [
      'State Bank of India Account No 00000030123454444',
      'Txn Date Value Description Ref No./Cheque Debit Credit Balance',
      'Opening Balance 1,000.00',
      '26 Apr 26 Apr BY TRANSFER- 200.00 1,200.00',
      '2026 2026 UPI/CR/630512345678/Anita/UBIN/anita.k@ok/P',
      '28 Apr 28 Apr TO TRANSFER- 50.00 1,150.00',
      '2026 2026 UPI/DR/630611112222/Tea/YESB/tea@ybl/UPI',
      '30 Apr 30 Apr BY TRANSFER- 350.00 1,500.00',
      '2026 2026 UPI/CR/630798765433/Om/UBIN/om@ybl/x',
    ].join('\n')

    const statement = readStatement(text)

    expect(statement.balances).toBe('proven')
    expect(statement.lines.map(({ day }) => day)).toEqual(['2026-04-26', '2026-04-28', '2026-04-30'])
    expect(said(statement)).toEqual([
      [200_00, '630512345678', 'statement'],
      [350_00, '630798765433', 'statement'],
    ])
  })

  test('with a narration over several rows reads its reference in the second', () => {
    const text = [
      'Post Date,Value Date,Branch Code,Cheque Number,Account Description,Debit,Credit,Balance',
      '01/11/2026,01/11/2026,04982,,UPI/RRN,711.00,,"4,622.50 CR"',
      ',,,,630518263559/Sent using,,,',
      ',,,,Paytm UPI,,,',
      '02/11/2026,02/11/2026,04982,,UPI/RRN,,"10,000.00","14,622.50 CR"',
      ',,,,630654903413/UPI_RAVIND,,,',
    ].join('\n')

    const [sent, came] = readStatement(text).lines

    expect(sent).toMatchObject({ refs: ['630518263559'], narration: 'UPI/RRN630518263559/Sent usingPaytm UPI' })
    expect(came).toMatchObject({ refs: ['630654903413'], amountPaise: 10_000_00, proof: 'statement' })
  })

  test('takes the direction of pasted rows from the balances alone, and none where they tell nothing', () => {
    const statement = readStatement(
      [
        '01/11/2026 UPI/CR/630512345678/A/x 500.00 1,500.00',
        '02/11/2026 UPI/CR/630512345679/A/x 500.00 1,000.00',
        '03/11/2026 UPI/CR/630512345670/A/x 300.00 1,300.00',
      ].join('\n'),
    )

    expect(said(statement)).toEqual([[300_00, '630512345670', 'statement']])
    expect(statement.problems).toMatchObject([{ line: 1 }])
  })

  test('of equal amounts on one day, pasted, proves none: what came from one end went from the other', () => {
    const rows = [1, 2, 3].map(
      (n) => `26/11/2026  UPI-A-A@YBL-HDFC0000001-63251590000${n}-REFUND  500.00  ${n * 500}.00`,
    )

    for (const text of [rows, [...rows.slice(0, 2), rows[2]!.replace('REFUND', 'FOR 500.00')]]) {
      const statement = readStatement(text.join('\n'))
      expect(statement.lines.filter(({ proof }) => proof !== 'none')).toEqual([])
      expect(statement.problems.map(({ line }) => line)).toEqual([1, 2, 3])
    }
  })

  test('of equal amounts on one day, pasted below an opening balance, fits from one end alone', () => {
    const rows = [1, 2].map(
      (n) => `26/11/2026  UPI-A-A@YBL-HDFC0000001-63251590000${n}-KEY  100.00  ${1000 + n * 100}.00`,
    )

    const statement = readStatement(['Opening Balance 1,000.00', ...rows].join('\n'))

    expect(said(statement).map(([amount, , proof]) => [amount, proof])).toEqual([
      [100_00, 'statement'],
      [100_00, 'statement'],
    ])
  })

  test('with an amount of a hundred crore is not proven rather than misread', () => {
    const statement = readStatement(
      [
        'Date,Description,Debit,Credit,Balance',
        '01/11/2026,UPI/CR/630512345678/A/HDFC/x,,500.00,"100,00,00,500.00"',
        '02/11/2026,UPI/CR/630512345679/A/HDFC/x,,500.00,"100,00,01,000.00"',
      ].join('\n'),
    )

    expect(said(statement).filter(([, , proof]) => proof !== 'none')).toEqual([])
  })
})
