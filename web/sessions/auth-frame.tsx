import type { ReactNode } from 'react'
import { KeyRound, ShieldCheck, Sparkles } from 'lucide-react'
import { t } from '../platform/i18n.ts'
import { Link } from '../platform/navigation/router.tsx'
import { Brand } from '../ui/page/brand.tsx'
import { ThemeToggle } from '../ui/page/theme-toggle.tsx'
import { LanguageLinks } from '../ui/page/language-links.tsx'
import { Page } from '../ui/page/page.tsx'
import { SupportLink } from '../ui/page/support-link.tsx'
import { cx } from '../ui/cx.ts'

interface AuthFrameProps {
  title: string
  description?: string
  /** Leaves out the art and the promises, which are for buyers. */
  plain?: boolean
  children: ReactNode
}

const PROMISES = [
  { Icon: KeyRound, text: () => t('Get your key as soon as you buy') },
  { Icon: ShieldCheck, text: () => t('One device per account keeps others out') },
  { Icon: Sparkles, text: () => t('Get bonus money on bigger top-ups') },
]

const link = 'inline-flex min-h-11 items-center hover:text-fg hover:underline'

/** Frames login and signup: the form on the left, the store's promises on the right if there is room. */
export function AuthFrame({ title, description, plain, children }: AuthFrameProps) {
  return (
    <div className={cx('min-h-dvh', !plain && 'lg:grid lg:grid-cols-[minmax(0,61fr)_minmax(0,67fr)]')}>
      <div className="flex min-h-dvh flex-col">
        <header className="flex h-16 items-center justify-between gap-4 px-4 sm:h-20 sm:px-6 lg:px-10">
          <Link to="/" className="flex min-h-11 min-w-0 items-center rounded-control">
            <Brand />
          </Link>
          <ThemeToggle />
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto grid w-full max-w-104 flex-1 content-start px-4 pt-6 pb-10 sm:content-center"
        >
          <Page title={title} {...(description && { description })}>
            {children}
          </Page>
        </main>
        <footer className="px-4 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-center text-sm text-fg-2">
          {/* Opens next to the form instead of replacing it. */}
          <Link to="/terms-policy" target="_blank" className={link}>
            {t('Terms and policy')}
            <span className="sr-only"> {t('(opens in a new tab)')}</span>
          </Link>
          {!plain && <SupportLink className={`ml-6 ${link}`}>{t('Support')}</SupportLink>}
          <LanguageLinks className={`ml-6 ${link}`} />
        </footer>
      </div>
      {!plain && (
        <aside
          aria-label={t('Why buy here')}
          data-hue="0"
          data-pattern="grid"
          className="cover sticky! top-0 hidden h-dvh place-items-center px-16 lg:grid"
        >
          <ul className="grid w-full max-w-135 gap-4 text-white">
            {PROMISES.map(({ Icon, text }) => (
              <li
                key={text()}
                className={
                  'flex min-h-17 items-center gap-4 rounded-panel border border-white/15 bg-black/45 px-5 py-4 ' +
                  'text-lg font-medium'
                }
              >
                <Icon size={24} strokeWidth={1.75} className="shrink-0" aria-hidden />
                {text()}
              </li>
            ))}
          </ul>
        </aside>
      )}
    </div>
  )
}
