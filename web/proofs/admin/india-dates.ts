/** Dates of India's clock, for papers that are read there wherever they are made. */
import { INDIA_ZONE } from '../../../contract/india.ts'
import { STYLES } from '../../platform/dates.ts'
import { locale, unbroken } from '../../platform/i18n.ts'

const inIndia = (style: keyof typeof STYLES) => (moment: string) =>
  unbroken(new Intl.DateTimeFormat(locale(), { ...STYLES[style], timeZone: INDIA_ZONE }).format(new Date(moment)))

/** Returns "20 Nov 2026, 9:14 pm". */
export const indiaDateTime = inIndia('dateTime')
/** Returns "20 Nov 2026". */
export const indiaDate = inIndia('date')
