import { Link } from '../platform/router.tsx'
import { t } from '../platform/i18n.ts'
import { useSite } from '../platform/site.ts'

export function StoreFooter({ supportUrl }: { supportUrl: string }) {
  const { websiteName } = useSite()
  const link = 'inline-flex min-h-11 items-center hover:text-fg hover:underline'
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-store flex-wrap items-center justify-between gap-x-6 px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-sm text-fg-2 sm:px-6">
        <p className="min-w-0 wrap-anywhere">{websiteName}</p>
        <nav aria-label={t('Footer')} className="flex flex-wrap gap-x-6">
          <Link to="/terms-policy" className={link}>
            {t('Terms and policy')}
          </Link>
          {supportUrl && (
            <a href={supportUrl} target="_blank" rel="noopener noreferrer" className={link}>
              {t('Support')}
            </a>
          )}
        </nav>
      </div>
    </footer>
  )
}
