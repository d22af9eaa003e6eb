import { Link, useLocation } from '../platform/navigation/router.tsx'
import { t } from '../platform/i18n.ts'
import { buttonClass } from '../ui/buttons/button.tsx'
import { Page } from '../ui/page/page.tsx'
import { StoreShell } from './store/store-shell.tsx'

export function NotFoundPage() {
  // Without a frame: the panel's is not for everybody
  return useLocation().pathname.startsWith('/admin/') ? (
    <main id="main" className="px-4">
      <NotFound home="/admin" />
    </main>
  ) : (
    <StoreShell>
      <NotFound home="/" />
    </StoreShell>
  )
}

function NotFound({ home }: { home: '/' | '/admin' }) {
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-lg content-center text-center">
      <p className="font-mono text-sm text-fg-3">404</p>
      <Page title={t('Page not found')} className="[&>header]:mb-2 [&>header]:justify-center">
        <p className="text-fg-2">
          {t('There’s no page at this address. Check the address for typing mistakes, or go back to the dashboard.')}
        </p>
        <Link to={home} className={buttonClass({}, 'mt-6')}>
          {t('Go to the dashboard')}
        </Link>
      </Page>
    </div>
  )
}
