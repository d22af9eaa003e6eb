/**
 * The two forms of a bank's reference. Banks print other numbers beside it, such as accounts, telephones and counters
 * of their own, so whatever is taken for a reference has one of these.
 */
import { BANKS } from '../../../contract/banks.ts'
import { isUnusualUtr, normaliseUtr } from '../../../contract/utr.ts'

/** Codes of banks that stores have no accounts with, of merged banks, and codes that stand only in references. */
const OTHER_CODES = [
  'ABHY ABNA ALLA AMCB AMDN ANDB APBL ASBL AXIC AXIS AXPS BACB BARC BBKM BCBM BKDN BNPA BOFA BOTM CHAS CITI CLBL CORP',
  'CRES CRLY CRUB CTBA DEUT DICG DNSB DOHB EIBI ESIB FIRN FSFB GBCB GSCB HCBL HPSC IBBK IBKO ICBK ICIN IDUK IPOS JANA',
  'JASB JJSB JPCB JPMC JSBL JSBP KACE KAIJ KANG KCCB KJSB KKBK KOEX KSCB KUCB KVGB LAVB MAHG MCBL MDBK MHCB MKPB MSCI',
  'MSHQ MSLM MSNU MUBL MVCB NATA NBAD NBRD NCUB NICB NKGS NMCB NMGB NNSB NOSC NUCB NVNM ORBC ORCB PJSB PMCB PMEC PUCB',
  'PYTM QNBA RABO RBIH RBIS RMGB RNSB RRBP RSBL RSCB SABR SAHE SBBJ SBHY SBIC SBMY SBTR SDCB SDCE SHBK SIDB SJSB SKSB',
  'SMBC SMCB SPCB STBP STCB SUNB SUTB SVBL SYNB TBSB TDCB TEMP TGMB THRS TJSB TNSC TSAB TTCB UBBS UOVB UPCB USFB UTBI',
  'UTIB VARA VIJB VSBL VVSB WBSC WPAC YESI ZCBL ZSBL',
].flatMap((codes) => codes.split(' '))

/** The first four letters of an IFSC, and of a NEFT or RTGS reference. */
export const IFSC_CODES: readonly string[] = [...new Set([...BANKS.map(({ ifsc }) => ifsc), ...OTHER_CODES])]
const KNOWN = new Set(IFSC_CODES)

/**
 * An RRN begins with the last digit of the year and the day of the year, so never with 000. The bank's counters do.
 * @param digits perhaps behind the four zeros that some banks put before it
 */
export function upiNumber(digits: string): string | undefined {
  const utr = normaliseUtr(digits)
  return /^(?!000)\d{12}$/.test(utr) ? utr : undefined
}

/** Of NEFT or RTGS: it begins with the letters of a bank, or is an "N" and 15 digits. A masked account isn’t one. */
export function wireForm(token: string): string | undefined {
  if (!/^[A-Z0-9]{15,22}$/i.test(token)) return undefined
  const utr = normaliseUtr(token)
  const isOfBank = KNOWN.has(utr.slice(0, 4)) || /^N\d{15}$/.test(utr)
  return isOfBank && utr === token.toUpperCase() && !isUnusualUtr(utr) ? utr : undefined
}
