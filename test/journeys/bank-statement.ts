/** A statement of the demo's bank account. */
interface Credit {
  utr: string
  rupees: number
  payer: string
}

/** Of the demo's account: HDFC, ending 5678. Balances add up, also with an earlier statement of this run. */
export function statementOf(credits: readonly Credit[]): string {
  const [year, month, day] = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10).split('-')
  const today = `${day}/${month}/${year}`
  let balance = 1_000
  const lines = credits.map(({ utr, rupees, payer }) => {
    balance += rupees
    const narration = `UPI-${payer}-${payer.replace(/\W/g, '')}@OKAXIS-UTIB0000123-${utr}-UPI`
    return [today, narration, `0000${utr}`, today, '', rupees.toFixed(2), balance.toFixed(2)].join(',')
  })
  return [
    'Account No : 50100000005678   OTHER,,,,,,',
    `Statement From : ${today} To : ${today},,,,,,`,
    'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
    ...lines,
  ].join('\n')
}
