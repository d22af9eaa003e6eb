import type { ReactNode } from 'react'
import { KeyRound, ShieldCheck, Sparkles } from 'lucide-react'
import { useProducts } from '../catalogue/use-products.ts'
import { useFace } from '../platform/calls/site.ts'
import { own, t } from '../platform/i18n.ts'
import { Link } from '../platform/navigation/router.tsx'
import { Brand } from '../ui/page/brand.tsx'
import { ThemeToggle } from '../ui/page/theme-toggle.tsx'
import { LanguageLinks } from '../ui/page/language-links.tsx'
import { Page } from '../ui/page/page.tsx'
import { SupportLink } from '../ui/page/support-link.tsx'
import { ProductCover } from '../ui/pictures/product-cover.tsx'
import { cx } from '../ui/cx.ts'

interface AuthFrameProps {
  title: string
  description?: string
  /** Leaves out the store's products and promises, which are for buyers. */
  plain?: boolean
  children: ReactNode
}

const PROMISES = [
  { Icon: KeyRound, text: () => t('Get your key as soon as you buy') },
  { Icon: ShieldCheck, text: () => t('One device per account keeps others out') },
  { Icon: Sparkles, text: () => t('Get bonus money on bigger top-ups') },
]

const link = 'inline-flex min-h-11 items-center hover:text-fg hover:underline'

/** Frames login and signup: the form on the left, the store on the right if there is room. */
export function AuthFrame({ title, description, plain, children }: AuthFrameProps) {
  return (
    <div className={cx('min-h-dvh', !plain && 'lg:grid lg:grid-cols-[minmax(0,61fr)_minmax(0,67fr)]')}>
      <div className="flex min-h-dvh flex-col">
        <header className="flex h-16 items-center justify-between gap-4 px-4 sm:px-6 lg:px-10">
          <Link to="/" className="flex min-h-11 min-w-0 items-center rounded-control">
            <Brand />
          </Link>
          <ThemeToggle />
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto grid w-full max-w-104 flex-1 content-start px-4 py-6 sm:content-center"
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
      {!plain && <Store />}
    </div>
  )
}

/** The store beside the form: what it sells, and what it promises. */
function Store() {
  const face = useFace()
  const inStock = useProducts().data?.filter(({ available }) => available) ?? []
  const best = [...inStock.filter(({ hot }) => hot), ...inStock.filter(({ hot }) => !hot)].slice(0, 3)
  return (
    <aside
      aria-label={t('Why buy here')}
      className={
        'glow sticky top-0 hidden h-dvh content-center justify-center gap-6 overflow-hidden border-l border-line ' +
        'bg-surface px-16 lg:grid lg:grid-cols-[minmax(0,33.75rem)]'
      }
    >
      <p className="text-3xl font-semibold wrap-anywhere">
        {own(face, 'heroLine') || t('Licence keys, delivered instantly')}
      </p>
      <ul className="grid auto-cols-fr grid-flow-col gap-4 empty:hidden">
        {best.map((product) => (
          <li key={product._id} className="min-w-0 overflow-hidden rounded-card border border-line bg-surface">
            <ProductCover {...product} className="aspect-square max-h-[40dvh] w-full" />
            <p className="m-3 line-clamp-2 font-semibold wrap-anywhere">{own(product, 'name')}</p>
          </li>
        ))}
      </ul>
      <ul className="grid gap-3 text-fg-2">
        {PROMISES.map(({ Icon, text }) => (
          <li key={text()} className="flex items-center gap-3">
            <Icon size={20} className="shrink-0 text-brand" aria-hidden />
            {text()}
          </li>
        ))}
      </ul>
    </aside>
  )
}
