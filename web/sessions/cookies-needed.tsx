/** Browsers that keep no cookies, and so no session. Nobody can log in there. */
import { useEffect, useState } from 'react'
import type { Language } from '../../contract/languages.ts'
import type { Translate } from '../../contract/words.ts'
import { ApiError } from '../platform/calls/api-error.ts'
import { onRefusalOf } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { useHydrated } from '../platform/use-hydrated.ts'

// The refusal of a first login brings the device cookie. A browser that keeps it goes in with the same press
onRefusalOf('COOKIES_NEEDED', () => Promise.resolve(undefined))

export const isCookieless = (error: unknown): boolean => error instanceof ApiError && error.code === 'COOKIES_NEEDED'

/** True if the browser says that it keeps none. Where it says nothing, its first login tells (COOKIES_NEEDED). */
export const useCookiesBlocked = (): boolean =>
  useHydrated() && 'cookieEnabled' in navigator && !navigator.cookieEnabled

/** Says it in every language, because without cookies no choice of one is kept. */
export function CookiesNeeded() {
  const [others, setOthers] = useState<(readonly [Language, Translate])[]>([])
  useEffect(() => {
    void import('../platform/catalogues.ts')
      .then(async ({ otherSpeakers }) => setOthers(await otherSpeakers()))
      // The sentences of the page's own language are there
      .catch(() => undefined)
  }, [])
  return (
    <div className="grid gap-3">
      <Sentences t={t} />
      {others.map(([language, say]) => (
        <div key={language} lang={language}>
          <Sentences t={say} />
        </div>
      ))}
    </div>
  )
}

function Sentences({ t }: { t: Translate }) {
  return (
    <div className="grid gap-1">
      <p className="font-semibold">{t('This browser blocks cookies')}</p>
      <p className="text-fg-2">
        {t('The store needs cookies to keep you logged in.')}{' '}
        {t('Allow cookies for this site in your browser settings, then log in again.')}
      </p>
      <p className="text-fg-2">
        {t('Opened inside another app, such as WhatsApp or Instagram? Open the store in Chrome or Safari.')}
      </p>
    </div>
  )
}
