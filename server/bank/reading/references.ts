/**
 * Reads a transfer's references from the slot in which the bank prints them: the first twelve digits, with the bank's
 * own words alone before them. Whatever stands behind the slot was written by the payer and is never searched: a
 * stranger's number in a note must not become a reference. Two banks print the payer's words first. At Kotak their
 * place is counted; at ICICI the slot is at the end.
 */
import { BACK_CODE, GLUED_BACK, isIncome, isPayout, SHORT_BACK } from './no-payment.ts'
import { IFSC_CODES, upiNumber, wireForm } from './reference-forms.ts'
import { oneLine } from './cells.ts'

export interface Transfer {
  /** In the form of UTRs. */
  refs: string[]
  /** `own` is money that the bank or a payment app pays the shop. */
  kind: 'payment' | 'reversal' | 'own'
  payerName: string
  /** In small letters, as far as the bank prints it. */
  payerVpa: string | null
  note: string
}

/** A later credit under its reference is no payment. */
export interface LeftMoney {
  accountId: string
  ref: string
  day: string
}

const NARRATION_READ = 500
const TEXT_KEPT = 120

/** Words that banks put before the rail. They mean nothing here. */
const LEAD = String.raw`(?:(?:BY|TO) TRANSFER ?- ?|(?:DEP|WDL) TFR[ /-]*|MPAY/|BY |B(?=UPI))?`
const BACK = `(${BACK_CODE}[-/: ]*)?`
const END = '(?=[/: -]|$)'
const VPA = /^[\w.-]+@[a-z][\w.]*$/i

interface Slot {
  form: RegExp
  /** From the match: what the bank wrote. `rest` is what stands behind the slot. */
  read: (match: RegExpExecArray, rest: string[]) => Partial<Transfer> & { ref: string; lead?: string | undefined }
}

const slot = (form: string, read: Slot['read']): Slot => ({ form: new RegExp(`^${LEAD}${BACK}${form}`, 'i'), read })
const vpaIn = (text: string | undefined): string | null => (text && VPA.test(text) ? text.toLowerCase() : null)

/** Behind "UPI/CR/number/": name, bank, VPA or something else, note. */
const afterMode: Slot['read'] = ([, back, mode = '', ref = ''], [name = '', , vpa, ...note]) => {
  if (/^MOB$/i.test(mode)) return { ref, note: [name, vpa, ...note].join('/') }
  const isPrinted = /^(?:CR|DR)$/i.test(mode)
  return {
    ref,
    lead: `${back ?? ''}${mode}`,
    payerName: name,
    payerVpa: isPrinted ? vpaIn(vpa?.trim()) : null,
    note: isPrinted ? note.join('/') : [vpa, ...note].join('/'),
  }
}

const UPI_WITH_MODE = slot(String.raw`UPI/(P2A|P2M|P2P|CR|DR|MOB|${BACK_CODE})/[A-Z]?(\d{12})${END}`, afterMode)
const UPI_UNION = slot(String.raw`UPI[A-Z]{2}/(\d{12})/(CR|DR)${END}`, ([, back, ref = ''], [name = '', , vpa]) => ({
  ref,
  lead: back,
  payerName: name,
  payerVpa: vpaIn(vpa),
}))
/** ICICI until 2024: note, VPA, bank, its own number. Yes: From:VPA/To:VPA/note. */
const UPI_FIRST = slot(String.raw`UPI/(\d{12})${END}`, ([, back, ref = ''], rest) => {
  const from = /^From:(.+)$/i.exec(rest[0] ?? '')?.[1]
  if (from !== undefined) return { ref, lead: back, payerVpa: vpaIn(from), note: rest.slice(2).join('/') }
  const at = rest.findLastIndex((part) => vpaIn(part) !== null)
  const note = at < 0 ? rest : rest.slice(0, at)
  return { ref, lead: back, payerVpa: at > 0 ? vpaIn(rest[at]) : null, note: note.join('/') }
})
const UPI_AFTER_NAME = slot(
  String.raw`UPI/([^/]{0,40})/(?:[A-Z]{4}/)?(\d{12})${END}`,
  ([, back, name = '', ref = ''], rest) => ({ ref, lead: back, payerName: name, note: rest.join('/') }),
)
/** ICICI's form without its own number ends after name, number and note. With a bank's name behind, a row was cut. */
const UPI_SHORT = slot(
  String.raw`UPI/([^/@]{0,40})/(\d{12})(?:/(?![^/]*(?:bank|mahindra|\bltd|payments))[^/]*)?$`,
  ([, back, name = '', ref = '']) => ({ ref, lead: back, payerName: name }),
)
const IMPS = slot(
  String.raw`(?:(INB )IMPS|(?:MMT[/ ]|Recd:)?IMPS[/ -](?:P2A[/ -])?)(\d{12})${END}`,
  ([, back, inb, ref = ''], rest) => {
    if (inb !== undefined) return { ref, lead: back, note: rest[2] ?? '' }
    return { ref, lead: back, payerName: rest.find((part) => part !== '' && !/^NA$/i.test(part)) ?? '' }
  },
)
const UPI_HDFC = slot(
  String.raw`UPI-(.{0,150}?)-[A-Z]{4}0[A-Z0-9]{6}-(\d{12})(?:-|$)`,
  ([, back, head = '', ref = ''], rest) => {
    const parts = head.split('-')
    const vpa = vpaIn(parts.at(-1))
    const name = vpa === null ? parts : parts.slice(0, -1)
    return { ref, lead: back, payerName: name.join('-'), payerVpa: vpa, note: rest.join('/') }
  },
)
/** Not the mark of an empty name. */
const MARKS = '(?:(?!//)[/: -])'
const FROM_ACCOUNT = String.raw`TRANSFER (?:FROM|TO) \d{6,18}[/ -]+`
/** A word behind a space is the bank's. Behind a slash, it may be a payer's. */
const UPI_AS_RAIL = '(?:BHIM )?UPI(?:[A-Z]{2,3}| (?:COLLECT|CREDIT|INTENT|LITE|PAYMENT|QR|RECEIVED)|-QR(?=/))?'
const RAIL_WORD = `(?:${UPI_AS_RAIL}|(?:(?:MMT|I?FN|FT|INB|MB|NB|MOB)[/: -])?IMPS(?:[A-Z]{2})?|MPAY[A-Z]{0,6}TRTR)`
/** Words of banks before the number, among them the payer's bank by its four letters. */
const WORD = `(?:CR|DR|INW?|OUT|P2[AMPV]|MOB|TXN|RRN|IFI|CREDIT|INWARD|REF(?: NO)?|${IFSC_CODES.join('|')})`
/** UCO leaves no mark before the name, and IndusInd none at all. */
const END_OR_NAME = `(?:${END}|(?<=TRTR.{12})(?=[A-Z])|(?<=UPI.{12})(?=[CD]R[A-Z]))`
const BEHIND_WORDS = slot(
  String.raw`(?:${FROM_ACCOUNT})?(${RAIL_WORD})((?:${MARKS}+${WORD})*)${MARKS}*[A-Z]?(\d{12})${END_OR_NAME}`,
  ([, back, rail = '', words = '', ref = ''], rest) => {
    const isNext = /^UPI(?:IN|OUT)?$/i.test(rail) && /^(?:| IN|:.*)$/i.test(words)
    return { ref, lead: back, payerVpa: isNext ? vpaIn(rest[0]?.replace(/[(:].*$/, '')) : null }
  },
)
/** Payments banks print a label before each part, and the number last. A payer can have written its label, too. */
const UPI_LABELLED = slot(
  String.raw`(?:Money )?(?:received from|paid to)(?:(?!UPI Ref).)*UPI ID: ?[\w.-]+@\w+? ?UPI Ref No: ?(\d{12})$`,
  ([, back, ref = '']) => ({ ref, lead: back }),
)
const UPI_FROM_NAME = slot(
  String.raw`UPI (?:TRANSFER|TRF|TFR)[ -]*(?:FROM|TO)[ -]([A-Z. ]{1,40})[/-](\d{12})${END}`,
  ([, back, name = '', ref = ''], rest) => ({ ref, lead: back, payerName: name, note: rest.join('/') }),
)
/** Of many co-operative banks. The six digits before the number are its last six. */
const AFTER_STAN = slot(
  String.raw`(?:BY|TO)-S TFR (?:UPI|IMPS) ?- ?STAN ?: ?(\d{6}) RRN ?: ?(\d{6}\2)(?: |$)`,
  ([, back, , ref = ''], rest) => ({ ref, lead: back, payerName: rest.join('/') }),
)
/** IndusInd’s, with ten digits of its own behind the number. */
const BEFORE_OWN = slot(String.raw`IMPSP2A(\d{12})\d{10}$`, ([, back, ref = '']) => ({ ref, lead: back }))
const OF_FEW = [AFTER_STAN, BEFORE_OWN, UPI_FROM_NAME]
const SLOTS = [...OF_FEW, UPI_WITH_MODE, UPI_UNION, UPI_FIRST, IMPS, BEHIND_WORDS, UPI_HDFC, UPI_LABELLED]
/** Where the order, or what is left out, is the bank's own. Kotak prints the name first, always. */
const SLOTS_OF: Record<string, readonly Slot[]> = {
  HDFC: [UPI_HDFC, ...SLOTS],
  ICICI: [UPI_FIRST, UPI_SHORT, IMPS],
  Kotak: [UPI_WITH_MODE, UPI_AFTER_NAME, IMPS],
}

const UPI_WORD = new RegExp(`^${LEAD}${BACK}UPI/(?:${WORD}|${BACK_CODE})/`, 'i')
const UPI_ROW = new RegExp(`^${LEAD}${BACK}UPI/`, 'i')
/** ICICI's own number, behind the reference. A cell that was wrapped has a blank in it. */
const ICICI_ID = /^[A-Z]{3}(?=[A-Z]*\d)[A-Z\d]{8,}(?: [A-Z\d]{1,20})?$/i
/** Before the reference: name or VPA, note, bank. */
const ICICI_PARTS_BEFORE = 3
/** In letters. A shorter name could begin as a bank's does, behind which a row was cut. */
const ICICI_NAME_PRINTED = 10

const IS_INTERNAL = /^(?:INF|INFT|.{0,12}\bINFT)\b/i
/** `MB:RECEIVED FROM` and the like are no rail. */
const RAIL = new RegExp(
  `^${LEAD}${BACK}(UPI(?:OUT|[A-Z]{0,2})|(?:MMT/|Recd:|INB |FT )?IMPS|NE?FT|RTGS)(?:INWARD)?(?![A-Z])`,
  'i',
)
/** Rev Kumar, behind whom a number stands, is a payer. */
const NO_NAME = String.raw`(?![A-Z]| [A-Z]+/\d{12})`
const BACK_LEAD = new RegExp(`^${BACK_CODE}`, 'i')
/** SBI posts many at a time, and then says so first. */
const RAIL_FIRST = `^${LEAD}(?:(?:BULK POSTING|CEMTEX DEP)[ -]+)?(?:UPI[A-Z]{0,2}|(?:MMT/|Recd:|INB )?IMPS|NEFT|RTGS)`
const BACK_AFTER_RAIL = new RegExp(`${RAIL_FIRST}[-/:_ ]+(?:${BACK_CODE}${NO_NAME}|${GLUED_BACK})`, 'i')
const BACK_FIRST = new RegExp(`^${LEAD}(?:[A-Z]{2,6}[-/: ])?(?:${BACK_CODE}${NO_NAME}|${GLUED_BACK})`, 'i')
const SAYS_IT_WENT = new RegExp(
  String.raw`^(?:(?:TO TRANSFER|TRANSFER TO|WDL TFR)\b|${LEAD}UPI(?: ?OUT(?![A-Z])|[A-Z]{0,2}\W(?:\d{12}\W)?DR\W))`,
  'i',
)
const BACK_IN_SHORT = new RegExp(`^${LEAD}${SHORT_BACK}`, 'i')
const BACK_IN_WORDS = /^[^/:-]{0,40}\b(?:credited back|revers(?:ed|al)|returned|refunded|failed \w+ txn|txn failed)\b/i

/**
 * @param column the cell of a column that the bank names as the reference's
 * @param bank its name, where the file tells it
 * @param isNewer true for a file of ICICI's newer form, in which a number behind a name is the payer's
 */
export function readTransfer(narration: string, column: string, bank: string | null, isNewer = false): Transfer {
  const text = narration.slice(0, NARRATION_READ).trim()
  const own = columnReference(text, column.trim())
  const found = slotIn(text, bank, own, isNewer)
  const isBank = isWire(RAIL.exec(text)?.[2])
  const inSlot = found?.ref
  // HDFC prints the same number twice. Where the two differ there, the column is out of the payer's reach
  const printed = found?.slot === UPI_HDFC && own !== undefined ? [own] : [inSlot, own]
  const refs = (isBank ? [wireReference(text, own, bank)] : printed).filter((ref) => ref !== undefined)
  const isBack =
    BACK_IN_WORDS.test(text) ||
    BACK_IN_SHORT.test(text) ||
    (found ? BACK_LEAD.test(found.lead ?? '') : BACK_AFTER_RAIL.test(text) || BACK_FIRST.test(text))
  // Behind UPI stands what the payer wrote
  const isOwn = !/^UPI/i.test(RAIL.exec(text)?.[2] ?? '') && (isPayout(text) || (refs.length === 0 && isIncome(text)))
  return {
    refs: [...new Set(refs)],
    kind: isBack ? 'reversal' : isOwn ? 'own' : 'payment',
    payerName: kept(found?.payerName),
    payerVpa: found?.payerVpa ?? null,
    note: kept(found?.note),
  }
}

/** True for a row that the bank calls one of money that went. A deposit of that name is money that came back. */
export const saysItWent = (narration: string): boolean => SAYS_IT_WENT.test(narration)

const kept = (text: string | undefined): string => oneLine(text ?? '').slice(0, TEXT_KEPT)

/** True for a row as ICICI writes it since 2024. */
export const isOfNewerForm = (narration: string): boolean => slotAtEnd(narration.trim(), 'ICICI') !== undefined

/** @param own what the column says */
function slotIn(text: string, bank: string | null, own: string | undefined, isNewer: boolean) {
  const atEnd = bank === null || bank === 'ICICI' ? slotAtEnd(text, bank) : undefined
  if (atEnd) return atEnd
  for (const slot of SLOTS_OF[bank ?? ''] ?? SLOTS) {
    if (isNewer && slot === UPI_SHORT) continue
    const match = slot.form.exec(text)
    if (!match) continue
    const behind = text.slice(match[0].length).replace(/^[/: -]/, '')
    const parts = behind.split(slot === UPI_HDFC ? /$^/ : '/').map((part) => part.trim())
    const { ref: digits, ...read } = slot.read(match, parts)
    const ref = upiNumber(digits)
    if (ref === undefined) return undefined
    if (slot === UPI_FIRST && isUnclear(parts, bank) && own !== parts[0]) return { ...read, ref: undefined, slot }
    if (slot === UPI_FIRST && own !== undefined && own === parts[0]) return { ...read, ref: own, slot }
    return { ...read, ref, slot }
  }
  return undefined
}

/**
 * ICICI since 2024: "UPI/VPA or name/note/bank/number/its own number". A payer can write the like into the note, so
 * two numbers in such places, or one that does not stand at the end, make none.
 * @returns undefined for a row of another form
 */
function slotAtEnd(text: string, bank: string | null) {
  const start = UPI_ROW.exec(text)
  if (!start) return undefined
  const parts = text
    .slice(start[0].length)
    .replace(/[/ ]+$/, '')
    .split('/')
    .map((part) => part.trim())
  const [payer = ''] = parts
  // The name stands behind all once more, and whole. A note could imitate that, so then the row has no other number
  const isCut = payer.length === ICICI_NAME_PRINTED && parts.at(-1)?.startsWith(payer) === true
  const isTwice = (isCut || parts.at(-1) === payer) && parts.length > ICICI_PARTS_BEFORE
  if (isTwice) parts.pop()
  const isNumber = (at: number) => /^\d{12}$/.test(parts[at] ?? '')
  const places = parts.flatMap((_, at) =>
    at >= ICICI_PARTS_BEFORE && isNumber(at) && ICICI_ID.test(parts[at + 1] ?? '') ? [at] : [],
  )
  // A bank's word behind UPI is no name, unless the row ends as ICICI's: then it is unclear whose number is whose
  const isWord = bank === null && UPI_WORD.test(text)
  if (places.length === 0 || (isWord && places.at(-1) !== parts.length - 2)) return undefined
  const numbers = new Set(parts.filter((_, at) => (isTwice || at === 0 ? isNumber(at) : places.includes(at))))
  const last = places.at(-1) ?? 0
  const isClear = !isWord && numbers.size === 1 && last === parts.length - 2
  const payerVpa = vpaIn(payer)
  return {
    ref: isClear ? upiNumber(parts[last] ?? '') : undefined,
    lead: start[1],
    payerName: payerVpa === null ? payer : '',
    payerVpa,
    note: parts.slice(1, last - 1).join('/'),
    slot: undefined,
  }
}

/**
 * "UPI/twelve digits/twelve digits": the first may be a name, or the second a note. A VPA behind them says that the
 * number came first.
 */
function isUnclear(rest: readonly string[], bank: string | null): boolean {
  return bank !== 'Yes' && /^\d{12}$/.test(rest[0] ?? '') && !rest.slice(1).some((part) => part.includes('@'))
}

/** Rows of these kinds have a counter of the bank's own there, or a cheque's number. */
const NO_RAIL = /\b(?:CASH|CHE?Q(?:UE)?|CLG|CTS|TPT|FT|CDM|BNA|ATM|N?ACH|ECS|INT(?:EREST)?|FD|RD|SALARY)\b/i

/** The kind of a row decides which form its column can hold. */
function columnReference(narration: string, cell: string): string | undefined {
  if (IS_INTERNAL.test(narration)) return undefined
  const rail = RAIL.exec(narration)?.[2]
  if (isWire(rail)) return wireForm(cell)
  const words = narration.replaceAll(/\S+@\S+/g, ' ')
  if (rail === undefined && NO_RAIL.test(words) && !/UPI|IMPS/i.test(`${words} ${cell}`)) return undefined
  return upiNumber(/^(?:UPI-|IMPS-|0000)?(\d{12})$/i.exec(cell)?.[1] ?? '')
}

const isWire = (rail = ''): boolean => /^(?:NE?FT|RTGS)$/i.test(rail)

/**
 * NEFT and RTGS: the reference stands first or behind the IFSC. HDFC prints it last, behind two names:
 * "NEFT CR-IFSC-name-name-reference", and in its PDF once more behind the day. Union and Federal print it behind one:
 * "NEFT:name reference" and "NFT/name/reference/bank". Where it stands first, the column may have a number of the
 * bank's own. Axis has twelve digits of some banks.
 */
function wireReference(text: string, column: string | undefined, bank: string | null): string | undefined {
  const behind = text.replace(RAIL, '')
  const last = (form: RegExp) => wireForm(form.exec(behind)?.[1] ?? '')
  if (/^ CR-[A-Z]{4}0[A-Z0-9]{6}-.*-/i.test(behind))
    return column ?? last(/-([^-]*?)(?: ?Value ?Dt ?[\d/]{8,10} ?Ref ?\1)?$/i)
  if (bank === 'Union' && behind.startsWith(':')) return last(/^:[^\d/]+ (\w+)$/)
  if (/^NFT/i.test(text)) return last(/^\/[^\d/]*\/(\w+)\/[A-Z]{4}$/i)
  const digits = bank === 'Axis' ? /^\/(\d{12})\//.exec(behind)?.[1] : undefined
  if (digits !== undefined) return upiNumber(digits)
  const skipped = new RegExp(`^(?:CR|DR|INW|INWARD|IN|NULL|IFT|[A-Z]{4}0[A-Z0-9]{6}|${BACK_CODE})$`, 'i')
  const first = behind.split(/[-/*:_ ]+/).find((part) => part !== '' && !skipped.test(part))
  return wireForm(first ?? '') ?? column
}
