/** Says an answer that came from something in front of the store, by its status. Fetched with the first of them. */
import { locale, t } from '../i18n.ts'

const BYTES_IN_MB = 1_000_000
/** Smaller ones would be shown as none. */
const LEAST_MB = 0.1

/**
 * @param sent the body of the call, for its size
 * @returns nothing where the connection is to blame
 */
export function wordsFor(response: Response, sent = ''): string | undefined {
  switch (response.status) {
    case 408:
      return undefined
    case 413: {
      const megabytes = Math.max(LEAST_MB, new Blob([sent]).size / BYTES_IN_MB)
      const size = megabytes.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
      return `${t('That’s too large to send in one go. Split it and try again.')} (${size} MB)`
    }
    case 500:
      return t('The store is busy right now. Please try again in a moment.')
    case 429:
      return t('Too many attempts. Please wait and try again.') + waitText(response)
  }
  return t('This answer didn’t come from the store. Reload the page, or try another network.')
}

/** "Wait a little" could mean a quarter of an hour, so the message gives the time. */
export function waitText(response: Response): string {
  const seconds = Number(response.headers.get('retry-after'))
  // A date is allowed too
  if (!(seconds > 0)) return ''
  const wait =
    seconds <= 90
      ? t('Try again in {count, plural, one {# second} other {# seconds}}.', { count: seconds })
      : t('Try again in {count, plural, one {# minute} other {# minutes}}.', { count: Math.ceil(seconds / 60) })
  return ` ${wait}`
}
