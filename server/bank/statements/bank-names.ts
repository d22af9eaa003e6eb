/** The banks that the store knows, by what they and the public call them. */
import { wordsOf } from './statement-cells.ts'

/** As files write it: the full name, or the IFSC of a branch. */
const IN_FILES: readonly [bank: string, name: RegExp][] = [
  ['HDFC', /\bHDFC BANK\b|\bHDFC0\w{6}\b/i],
  ['ICICI', /\bICICI BANK\b|\bICIC0\w{6}\b/i],
  ['SBI', /\bSTATE BANK OF INDIA\b|\bSBIN0\w{6}\b/i],
  ['Axis', /\bAXIS BANK\b|\bUTIB0\w{6}\b/i],
  ['Kotak', /\bKOTAK MAHINDRA\b|\bKKBK0\w{6}\b/i],
  ['Yes', /\bYES BANK\b|\bYESB0\w{6}\b/i],
  ['IDFC', /\bIDFC FIRST\b|\bIDFB0\w{6}\b/i],
  ['Union', /\bUNION BANK OF INDIA\b|\bUBIN0\w{6}\b/i],
  ['Bandhan', /\bBANDHAN BANK\b|\bBDBL0\w{6}\b/i],
  ['IndusInd', /\bINDUSIND\b|\bINDB0\w{6}\b/i],
  ['IOB', /\bINDIAN OVERSEAS\b|\bIOBA0\w{6}\b/i],
  ['South Indian', /\bSOUTH INDIAN BANK\b|\bSIBL0\w{6}\b/i],
  ['Indian Bank', /\bINDIAN BANK\b|\bIDIB0\w{6}\b/i],
  ['PNB', /\bPUNJAB NATIONAL\b|\bPUNB0\w{6}\b/i],
  ['PSB', /\bPUNJAB (?:&|AND) SIND\b|\bPSIB0\w{6}\b/i],
  ['Federal', /\bFEDERAL BANK\b|\bFDRL0\w{6}\b/i],
  ['City Union', /\bCITY UNION\b|\bCIUB0\w{6}\b/i],
  ['Canara', /\bCANARA BANK\b|\bCNRB0\w{6}\b/i],
  ['Karnataka', /\bKARNATAKA BANK\b|\bKARB0\w{6}\b/i],
  ['Karur Vysya', /\bKARUR VYSYA\b|\bKVBL0\w{6}\b/i],
  ['UCO', /\bUCO BANK\b|\bUCBA0\w{6}\b/i],
  ['Bank of Baroda', /\bBANK OF BARODA\b|\bBARB0\w{6}\b/i],
]

const SHORT: Record<string, string> = {
  'South Indian': 'sib',
  'City Union': 'cub',
  'Karur Vysya': 'kvb',
  'Bank of Baroda': 'bob',
}

export const bankNamedIn = (text: string): string | undefined => IN_FILES.find(([, name]) => name.test(text))?.[0]

/** @param name of an account's bank, as an owner has typed it: "HDFC", "hdfc bank ltd", "State Bank of India" */
export function isBank(name: string, bank: string): boolean {
  const words = `${wordsOf(name)} `
  const short = [bank.toLowerCase(), SHORT[bank] ?? bank.toLowerCase()]
  return short.some((own) => words.startsWith(`${own} `)) || bankNamedIn(name) === bank
}
