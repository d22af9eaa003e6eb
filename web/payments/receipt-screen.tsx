import '../styles/receipt.css'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contract/wallet.ts'
import { ApiError } from '../platform/calls/api-error.ts'
import { client } from '../platform/calls/client.ts'
import { useFace } from '../platform/calls/site.ts'
import { paperDateTime } from '../platform/dates.ts'
import { durationText, t, unbroken } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Link, useLocation, navigate, useSearch } from '../platform/navigation/router.tsx'
import { payeeText } from '../settings/payee-text.ts'
import { Button, buttonClass } from '../ui/buttons/button.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { Page } from '../ui/page/page.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { textWith } from '../ui/text-with.tsx'
import { SupportLink } from '../ui/page/support-link.tsx'

/** A page to print or to save: what was paid, by whom, when and how. */
export function ReceiptScreen() {
  const { id = '' } = useSearch('/receipt')
  const { href } = useLocation()
  const back = () => (history.length > 1 ? history.back() : void navigate({ to: '/' }))
  const receipt = useQuery({
    queryKey: ['wallet', 'receipt', id],
    queryFn: ({ signal }) => client.wallet.receipt({ id }, { signal }),
  })
  return (
    <main id="main" tabIndex={-1} className="mx-auto w-full max-w-104 px-4 py-6">
      <Page title={t('Receipt')} hideTitle>
        <div className="receipt-actions mb-4 flex flex-wrap justify-between gap-2">
          <Button variant="ghost" icon={<ArrowLeft size={18} aria-hidden />} onClick={back}>
            {t('Back')}
          </Button>
          {receipt.data && (
            <Button icon={<Printer size={18} aria-hidden />} onClick={() => print()}>
              {t('Print or save')}
            </Button>
          )}
        </div>
        {receipt.data ? (
          <Paper receipt={receipt.data} />
        ) : receipt.error ? (
          <>
            <ErrorState
              title={t('No receipt to show')}
              error={receipt.error}
              onRetry={receipt.refetch}
              retrying={receipt.isFetching}
            />
            {receipt.error instanceof ApiError && receipt.error.status === 401 && (
              <Link to="/login" search={{ next: href }} className={buttonClass({ wide: true })}>
                {t('Login')}
              </Link>
            )}
          </>
        ) : (
          <Loading>
            <Skeleton className="h-96 rounded-panel" />
          </Loading>
        )}
      </Page>
    </main>
  )
}

function Paper({ receipt }: { receipt: Receipt }) {
  const { _id, kind, at, buyer, amount, credited, refunded, utr, paidTo } = receipt
  const { websiteName, logo } = useFace()
  return (
    <article className="receipt rounded-panel border border-line bg-surface p-5 sm:p-6">
      <p className="flex items-center gap-2.5 font-semibold wrap-anywhere">
        {logo && <img src={logo} alt="" width={32} height={32} className="size-8 shrink-0 rounded-[9px]" />}
        {websiteName}
      </p>
      <h2 className="mt-1 text-2xl font-semibold">{t('Receipt')}</h2>
      <dl className="mt-5 grid gap-3 text-sm">
        <Line name={t('Date')}>{unbroken(paperDateTime(at))}</Line>
        <Line name={t('Buyer')}>{buyer}</Line>
        <Line name={t('For')}>{kind === 'topup' ? t('Wallet top-up') : soldText(receipt)}</Line>
        <Line name={t('Paid with')}>
          {kind === 'topup' ? textWith('UPI, UTR {utr}', { utr: <span translate="no">{utr}</span> }) : t('Wallet')}
        </Line>
        {paidTo && (
          <Line name={t('Paid to')}>
            <span translate="no">{payeeText(paidTo)}</span>
          </Line>
        )}
        {kind === 'topup' && credited !== amount && <Line name={t('Added to wallet')}>{formatRupees(credited)}</Line>}
        {refunded > 0 && <Line name={t('Refunded')}>{formatRupees(refunded)}</Line>}
        <Line name={t('Number')}>
          <span translate="no" className="font-mono text-xs" title={_id}>
            {receiptNumber(at, _id)}
          </span>
        </Line>
      </dl>
      <p className="mt-5 flex items-baseline justify-between gap-4 border-t border-line pt-4">
        <span>{t('Total paid')}</span>
        <span className="tabular text-2xl font-semibold">{formatRupees(amount)}</span>
      </p>
      <p className="mt-4 text-xs wrap-anywhere text-fg-3">
        {t('This is a receipt, not a tax invoice.')}{' '}
        <SupportLink className="underline">{t('Contact support')}</SupportLink>
      </p>
    </article>
  )
}

/** Short enough to read out. The store finds the payment by its whole id. */
const receiptNumber = (at: string, id: string) => `R-${at.slice(0, 4)}-${id.slice(-8).toUpperCase()}`

function soldText({ quantity, what }: Receipt): string {
  // "Drift Zero (1 Month)", as the store writes it
  const [, product, duration] = /^(.+) \(([^()]+)\)$/.exec(what) ?? []
  return product && duration
    ? t('{quantity} × {product} ({duration})', { quantity, product, duration: durationText(duration) })
    : `${quantity} × ${what}`
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-6">
      <dt className="shrink-0 text-fg-3">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  )
}
