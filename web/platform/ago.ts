import { t, unbroken } from './i18n.ts'

/** Returns "3 h ago". Both arguments are in ms since 1970. */
export const agoText = (moment: string, now: number): string => unbroken(agoWords(moment, now))

function agoWords(moment: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(moment)) / 60_000)
  if (minutes < 1) return t('just now')
  if (minutes < 60) return t('{count} min ago', { count: minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return t('{count} hr ago', { count: hours })
  return t('{count} days ago', { count: Math.floor(hours / 24) })
}
