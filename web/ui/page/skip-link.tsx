import { t } from '../../platform/i18n.ts'

/** Skips the navigation. First stop of the Tab key. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className={
        'sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control ' +
        'focus:bg-solid focus:px-4 focus:py-2.5 focus:font-semibold focus:text-on-solid'
      }
    >
      {t('Skip to content')}
    </a>
  )
}
