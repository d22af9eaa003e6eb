import { MessageCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { getBoot } from '../../platform/calls/boot.ts'
import { t } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session/session.ts'
import { cx } from '../../ui/cx.ts'
import { SkipLink } from '../../ui/page/skip-link.tsx'
import { StoreFooter } from './store-footer.tsx'
import { StoreHeader } from './store-header.tsx'
import { StoreTabs } from './store-tabs.tsx'

/** Draws header, page and footer of the user area. */
export function StoreShell({ children }: { children: ReactNode }) {
  const { supportUrl } = getBoot()
  const { user } = useSession()
  return (
    <div className={cx('flex min-h-dvh flex-col', user && 'tabbed')}>
      <SkipLink />
      <StoreHeader />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-store flex-1 px-4 pt-5 pb-12 sm:px-6 sm:pt-8">
        {children}
      </main>
      <StoreFooter />
      {user && <StoreTabs />}
      {supportUrl && (
        // On the left, where covers are: copy buttons are on the right
        <aside aria-label={t('Support')}>
          <a
            href={supportUrl}
            target="_blank"
            rel="noopener noreferrer"
            title={t('Contact support')}
            className={
              'support-link fixed left-[max(1rem,env(safe-area-inset-left))] z-20 grid size-13 ' +
              'place-items-center rounded-full border border-line-2 bg-raised text-brand shadow-raised ' +
              'transition-transform duration-200 hover:-translate-y-0.5'
            }
          >
            <MessageCircle size={22} aria-hidden />
          </a>
        </aside>
      )}
    </div>
  )
}
