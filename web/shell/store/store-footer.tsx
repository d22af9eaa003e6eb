import { Link } from '../../platform/navigation/router.tsx'
import { t } from '../../platform/i18n.ts'
import { useSite } from '../../platform/calls/site.ts'
import { LanguageLinks } from '../../ui/page/language-links.tsx'

const link = 'inline-flex min-h-11 items-center hover:text-fg hover:underline'

export function StoreFooter() {
  const { websiteName } = useSite()
  return (
    <footer className="border-t border-line">
      <div
        className={
          'mx-auto flex max-w-store flex-wrap items-center justify-between gap-x-6 px-4 py-3 ' +
          'pb-[max(0.75rem,env(safe-area-inset-bottom))] text-sm text-fg-2 sm:px-6'
        }
      >
        <p className="min-w-0 wrap-anywhere">{websiteName}</p>
        <Link to="/terms-policy" className={link}>
          {t('Terms and policy')}
        </Link>
        <LanguageLinks className={link} />
      </div>
    </footer>
  )
}
