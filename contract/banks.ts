/**
 * The banks that the store knows. An account's bank is a key of this list. Any other text is another bank, which no
 * file is refused for. A bank whose name holds a shorter one's stands before that one.
 */
export interface Bank {
  key: string
  name: string
  /** The first four letters of its branches' IFSC. */
  ifsc: string
  /** Its senders of SMS in the operators' register, without the letters around them. Checked in November 2026. */
  senders: readonly string[]
  /** What people call it besides its key and its name. */
  aliases: readonly string[]
  /** It sends an SMS only above this amount, in rupees. */
  smsAbove?: number
  /** Its SMS tell no reference, so that they are hints. */
  tellsNoReference?: true
  /** What opens its locked files. */
  password?: string
}

const NAME_AND_DAY = 'the first four letters of your name and your birthday as DDMM'

type More = Pick<Bank, 'smsAbove' | 'tellsNoReference' | 'password'> & { called?: string }

/** @param senders and `called`: separated by a comma */
function bank(key: string, name: string, ifsc: string, senders: string, { called = '', ...more }: More = {}): Bank {
  const listed = (text: string) => text.split(', ').filter((one) => one !== '')
  return { key, name, ifsc, senders: listed(senders), aliases: listed(called), ...more }
}

const SILENT = { tellsNoReference: true } as const

export const BANKS: readonly Bank[] = [
  bank('HDFC', 'HDFC Bank', 'HDFC', 'HDFCBK, HDFCBN', {
    smsAbove: 500,
    password: 'your net-banking user ID',
  }),
  bank('SBI', 'State Bank of India', 'SBIN', 'SBIUPI, SBIINB, CBSSBI, SBIPSG, ATMSBI, SBIBNK', {
    called: 'SBI Bank, State Bank, YONO SBI',
    password: 'the last five digits of your mobile and your birthday as DDMMYY',
  }),
  bank('ICICI', 'ICICI Bank', 'ICIC', 'ICICIT, ICICIB', { password: NAME_AND_DAY }),
  bank('Axis', 'Axis Bank', 'UTIB', 'AXISBK', { called: 'UTI Bank', password: NAME_AND_DAY }),
  bank('Kotak', 'Kotak Mahindra Bank', 'KKBK', 'KOTAKB, KOTAKD', {
    called: 'Kotak Mahindra, Kotak Bank, Kotak 811',
    password: 'your CRN',
  }),
  bank('PNB', 'Punjab National Bank', 'PUNB', 'PNBSMS, PNBBNK', { called: 'PNB Bank, Punjab National' }),
  bank('Bank of Baroda', 'Bank of Baroda', 'BARB', 'BOBTXN, BOBSMS', { called: 'BOB, Baroda', password: NAME_AND_DAY }),
  bank('Canara', 'Canara Bank', 'CNRB', 'CANBNK', { called: 'Syndicate Bank' }),
  bank('City Union', 'City Union Bank', 'CIUB', 'CUBANK, CUBLTD', { called: 'CUB' }),
  bank('Union', 'Union Bank of India', 'UBIN', 'UNIONB', {
    called: 'Union Bank, UBI, Andhra Bank, Corporation Bank',
  }),
  bank('South Indian', 'South Indian Bank', 'SIBL', 'SIBSMS', { called: 'SIB' }),
  bank('Indian Bank', 'Indian Bank', 'IDIB', 'INDBNK', { called: 'Indian, Allahabad Bank' }),
  bank('IDFC', 'IDFC FIRST Bank', 'IDFB', 'IDFCFB, IDFCBK', { called: 'IDFC Bank, IDFC FIRST' }),
  bank('IndusInd', 'IndusInd Bank', 'INDB', 'INDUSB'),
  bank('Federal', 'Federal Bank', 'FDRL', 'FEDBNK, FEDSMS, FEDSCP, FEDFIB, JTEDGE', { called: 'Fi, Jupiter' }),
  bank('Yes', 'YES Bank', 'YESB', 'YESBNK'),
  bank('IOB', 'Indian Overseas Bank', 'IOBA', 'IOBCHN', { called: 'Indian Overseas' }),
  bank('Bandhan', 'Bandhan Bank', 'BDBL', 'BDNSMS'),
  bank('PSB', 'Punjab & Sind Bank', 'PSIB', 'PSBANK', { called: 'Punjab and Sind Bank, Punjab & Sind' }),
  bank('Central Bank', 'Central Bank of India', 'CBIN', 'CENTBK', { called: 'CBI, CBoI, Central' }),
  bank('Bank of India', 'Bank of India', 'BKID', 'BOIIND, BOIBNK', { called: 'BOI' }),
  bank('UCO', 'UCO Bank', 'UCBA', 'UCOBNK', SILENT),
  bank('IDBI', 'IDBI Bank', 'IBKL', 'IDBIBK'),
  bank('AU', 'AU Small Finance Bank', 'AUBL', 'AUBANK', { called: 'AU Bank, AU SFB' }),
  bank('RBL', 'RBL Bank', 'RATN', 'RBLBNK', { called: 'Ratnakar Bank' }),
  bank('Bank of Maharashtra', 'Bank of Maharashtra', 'MAHB', 'MAHABK', { called: 'BOM, Maharashtra, Mahabank' }),
  bank('Karnataka', 'Karnataka Bank', 'KARB', 'KBLBNK, KTKBNK', { called: 'KBL' }),
  bank('Karur Vysya', 'Karur Vysya Bank', 'KVBL', 'KVBANK', { called: 'KVB' }),
  bank('IPPB', 'India Post Payments Bank', 'IPOS', 'IPBMSG', { called: 'India Post Payments' }),
  bank('India Post', 'Post Office Savings Bank', 'DOPB', 'DOPBNK', { ...SILENT, called: 'Post Office, India Post' }),
  bank('Saraswat', 'Saraswat Bank', 'SRCB', 'SARBNK', { ...SILENT, called: 'Saraswat Co-operative Bank' }),
  bank('Standard Chartered', 'Standard Chartered Bank', 'SCBL', 'SCBANK', { ...SILENT, called: 'StanChart, SCB' }),
  bank('Dhanlaxmi', 'Dhanlaxmi Bank', 'DLXB', 'DHANBK'),
  bank('Equitas', 'Equitas Small Finance Bank', 'ESFB', 'EQUTAS', { called: 'Equitas Bank, Equitas SFB' }),
  bank('slice', 'slice Small Finance Bank', 'NESF', 'SLCEIT, SLCBNK, SLICEI', {
    called: 'slice Bank, North East SFB, NESFB',
  }),
  bank('Jana', 'Jana Small Finance Bank', 'JSFB', 'JANABK', { called: 'Jana Bank, Jana SFB, Janalakshmi' }),
  bank('NSDL', 'NSDL Payments Bank', 'NSPB', 'NSDLPB', { called: 'NSDL Bank' }),
  bank('Jio Payments Bank', 'Jio Payments Bank', 'JIOP', 'JIOPBS', { called: 'Jio, JPB' }),
  bank('Airtel', 'Airtel Payments Bank', 'AIRP', 'AIRBNK', { called: 'Airtel Bank' }),
  bank('Fino', 'Fino Payments Bank', 'FINO', 'FINOPB', { called: 'Fino Bank' }),
  bank('Jammu & Kashmir', 'Jammu & Kashmir Bank', 'JAKA', 'JKBANK', { called: 'J&K Bank, JK Bank, J&K' }),
  bank('Kerala Gramin', 'Kerala Gramin Bank', 'KLGB', 'KGBANK, KELBNK', { called: 'KGB' }),
  bank('Karnataka Gramin', 'Karnataka Gramin Bank', 'PKGB', 'KAGBNK'),
  bank('Baroda Gramin', 'Baroda UP Bank', 'BUPB', 'BUPGBK', { called: 'Baroda UP Gramin Bank' }),
  bank('Andhra Gramin', 'Andhra Pradesh Grameena Bank', 'APGB', 'APGBNK', { called: 'APGB' }),
  bank('Tamil Nadu Grama', 'Tamil Nadu Grama Bank', 'TNGB', 'TNGBNK', { called: 'TNGB' }),
  bank('CSB', 'CSB Bank', 'CSBK', 'CSBBNK', { called: 'Catholic Syrian Bank' }),
  bank('DCB', 'DCB Bank', 'DCBL', 'DCBBNK, DCBANK'),
  bank('TMB', 'Tamilnad Mercantile Bank', 'TMBL', 'TMBANK', { called: 'Tamilnad Mercantile' }),
  bank('Nainital', 'Nainital Bank', 'NTBL', 'NTLBNK'),
  bank('ESAF', 'ESAF Small Finance Bank', 'ESMF', 'ESAFBK', { called: 'ESAF Bank' }),
  bank('Ujjivan', 'Ujjivan Small Finance Bank', 'UJVN', 'UJJIVN', { called: 'Ujjivan Bank, Ujjivan SFB' }),
  bank('Utkarsh', 'Utkarsh Small Finance Bank', 'UTKS', 'UTKSFB', { called: 'Utkarsh Bank' }),
  bank('Suryoday', 'Suryoday Small Finance Bank', 'SURY', 'SURYOD', { called: 'Suryoday Bank' }),
  bank('Capital', 'Capital Small Finance Bank', 'CLBL', 'CAPSFB', { called: 'Capital Bank' }),
  bank('Unity', 'Unity Small Finance Bank', 'UNBA', 'UNITYB', { called: 'Unity Bank' }),
  bank('DBS', 'DBS Bank India', 'DBSS', 'DBSBNK', { called: 'DBS Bank, digibank, Lakshmi Vilas Bank' }),
  bank('HSBC', 'HSBC India', 'HSBC', 'HSBCIN', { called: 'HSBC Bank' }),
  bank('Cosmos', 'Cosmos Co-operative Bank', 'COSB', 'COSMOS', { called: 'Cosmos Bank' }),
  bank('SVC', 'SVC Co-operative Bank', 'SVCB', 'SVCBNK', { called: 'SVC Bank, Shamrao Vithal' }),
]

/** @returns the rupees above which each of these banks sends an SMS; 0 where they send all */
export const smsAbove = (banks: readonly string[]): number =>
  Math.max(0, ...banks.map((spelt) => BANKS.find(({ key }) => key === bankKey(spelt))?.smsAbove ?? 0))

/** An account of a bank that the list lacks. */
export const OTHER_BANK = 'Other bank'

/** In small letters, without signs, "Ltd" and "Limited". */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .replaceAll(/\b(?:the|ltd|limited)\b/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()

const KEYS = new Map(BANKS.flatMap(({ key, name, aliases }) => [key, name, ...aliases].map((one) => [plain(one), key])))

/** @returns the key of a bank, however it is spelt; undefined for one that the list lacks */
export function bankKey(spelt: string): string | undefined {
  const words = plain(spelt).split(' ')
  for (let count = words.length; count > 0; count -= 1) {
    const key = KEYS.get(words.slice(0, count).join(' '))
    // "HDFC current account" is of HDFC, "Indian Co-operative Bank" is of nobody here
    if (key !== undefined && (count === words.length || !words.slice(count).includes('bank'))) return key
  }
  return undefined
}
