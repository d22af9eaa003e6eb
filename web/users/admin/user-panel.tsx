import { useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { KeyRound, ReceiptIndianRupee } from 'lucide-react'
import { askFor } from '../../../contract/panel-pages.ts'
import type { Payment } from '../../../contract/payments.ts'
import { sayReason } from '../../../contract/reason-words.ts'
import type { AdminUser, UserKey } from '../../../contract/users.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { Status } from '../../payments/admin/requests/outcome.tsx'
import { PayerPhone } from '../../payments/admin/requests/payer-phone.tsx'
import { buyerOf, isRequest, kindOf } from '../../payments/admin/requests/words.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { agoText } from '../../platform/ago.ts'
import { useNow } from '../../platform/clock.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Pagination } from '../../ui/admin/lists/pagination.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { useLatestUser } from './user-queries.ts'
import { Rows } from './user-panel-rows.tsx'
import { Sessions } from './user-panel-sessions.tsx'
import { Fact } from '../../ui/admin/fact.tsx'

const KEYS_PAGE_SIZE = 20

type Part = 'payments' | 'keys' | 'sessions'

interface UserPanelProps extends DialogProps {
  user: AdminUser
  onUnlock: (user: AdminUser) => void
  onUnblock: (user: AdminUser) => void
}

/** Shows payments, keys and devices of one user. */
export function UserPanel({ user: opened, onUnlock, onUnblock, ...dialog }: UserPanelProps) {
  // Ending a session here changes the device lock
  const user = useLatestUser(opened)
  const [part, setPart] = useState<Part>('payments')
  const parts = (['payments', 'keys', 'sessions'] as const).filter((each) => !denied(calls.users[each]))
  return (
    <Dialog
      {...dialog}
      size="wide"
      title={user.username}
      description={t('{email} · Balance {amount}', { email: user.email, amount: formatRupees(user.balance) })}
      footer={
        part !== 'sessions' && (
          <>
            {!denied(calls.claims.list) && (
              <Link to="/admin/claims" search={{ user: user._id }} className={buttonClass({ variant: 'secondary' })}>
                {t('Claims')}
              </Link>
            )}
            <Link
              to={part === 'payments' ? '/admin/payment-manager' : '/admin/purchases'}
              search={part === 'payments' ? { status: 'all', search: user.email } : { search: user.email }}
              className={buttonClass({ variant: 'secondary' })}
            >
              {part === 'payments' ? t('Open in Payments') : t('Open in Purchases')}
            </Link>
          </>
        )
      }
    >
      {user.blocked && (
        <Blocked {...user.blocked} denied={denied(calls.users.unblock)} onUnblock={() => onUnblock(user)} />
      )}
      <Facts user={user} />
      {parts.length > 1 && (
        <Segmented
          label={t('Show')}
          value={part}
          onChange={setPart}
          className="mt-4 w-full"
          options={parts.map((value) => ({ value, label: PARTS[value]() }))}
        />
      )}
      {/* Scrolls by keyboard too, which needs something to focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section tabIndex={0} aria-label={PARTS[part]()} className="mt-2 min-h-80 rounded-control" data-autofocus>
        {part === 'payments' && <Payments userId={user._id} />}
        {part === 'keys' && <Keys userId={user._id} />}
        {part === 'sessions' && <Sessions user={user} onUnlock={onUnlock} />}
      </section>
    </Dialog>
  )
}

interface BlockedProps extends NonNullable<AdminUser['blocked']> {
  denied: string | undefined
  onUnblock: () => void
}

function Blocked({ reason, at, onUnblock, ...may }: BlockedProps) {
  return (
    <div
      className={
        'mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control border border-bad/30 ' +
        'bg-bad/8 p-3.5 text-sm'
      }
    >
      <p className="min-w-0">
        <span className="font-medium text-bad">{textWith('Blocked on {date}', { date: <Time value={at} /> })}</span>
        <span className="block wrap-anywhere text-fg-2">{t('Reason: {reason}', { reason: sayReason(t, reason) })}</span>
      </p>
      <Button variant="secondary" size="sm" onClick={onUnblock} {...may}>
        {t('Unblock')}
      </Button>
    </div>
  )
}

const PARTS: Record<Part, () => string> = {
  payments: () => t('Payments'),
  keys: () => t('Keys'),
  sessions: () => t('Devices'),
}

function Facts({ user: { contact, createdAt, referralCode, lastSeenAt, sameMailbox } }: { user: AdminUser }) {
  const now = useNow(MINUTE_MS)
  return (
    <dl
      className={
        'grid grid-cols-2 gap-x-4 gap-y-3 rounded-control border border-line bg-sunken p-3.5 ' +
        'text-sm sm:grid-cols-4'
      }
    >
      <Fact name={t('Contact')}>
        {contact ? (
          <a translate="no" href={`tel:+91${contact}`} className="tabular font-mono hover:underline">
            {contact}
          </a>
        ) : (
          <span className="text-fg-3">–</span>
        )}
      </Fact>
      <Fact name={t('Joined')}>
        <Time value={createdAt} format="date" />
      </Fact>
      <Fact name={t('Referral code')}>
        <span translate="no" className="font-mono wrap-anywhere">
          {referralCode}
        </span>
      </Fact>
      {sameMailbox.length > 0 && (
        <Fact name={t('Same mailbox as')}>
          <span className="wrap-anywhere text-warn">{sameMailbox.join(', ')}</span>
        </Fact>
      )}
      <Fact name={t('Last active')}>{lastSeenAt ? agoText(lastSeenAt, now) : t('Not active recently')}</Fact>
    </dl>
  )
}

function Payments({ userId }: { userId: string }) {
  const payments = usePanel(askFor('users', 'payments', { userId }))
  return (
    <Rows
      query={payments}
      empty={
        <EmptyState
          icon={<ReceiptIndianRupee size={22} />}
          title={t('No payments yet')}
          text={t('Top-ups, purchases and wallet changes will show here.')}
        />
      }
    >
      {(payment) => <PaymentRow key={payment._id} payment={payment} />}
    </Rows>
  )
}

function PaymentRow({ payment }: { payment: Payment }) {
  const { type, status, amount, productId, duration, utr, payerName, reason, createdAt } = payment
  const isOut = type === 'buy_key' || type === 'deduct_money'
  return (
    <li
      className={
        'flex items-start justify-between gap-4 py-3 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]'
      }
    >
      <div className="min-w-0 text-sm">
        <p className="font-medium wrap-anywhere">
          {kindOf(payment)}
          {productId && ` · ${productId.name}${duration && `, ${durationText(duration)}`}`}
        </p>
        {isRequest(payment) && (
          <p translate="no" className="font-mono text-xs wrap-anywhere text-fg-2">
            {utr}
            {payerName !== '' && (
              <>
                {' · '}
                <PayerPhone payment={payment} />
              </>
            )}
          </p>
        )}
        {reason && (
          <p className="text-xs wrap-break-word text-fg-2">{t('Reason: {reason}', { reason: sayReason(t, reason) })}</p>
        )}
        <Time value={createdAt} className="text-xs text-fg-3" />
        {isRequest(payment) && status === 'approved' && (
          <AllowedLink
            call={calls.proofs.read}
            to="/admin/proof"
            search={{ id: payment._id }}
            className="block text-xs"
            linkClassName="text-brand underline"
            aria-label={t('Paper for the bank about {amount} from {name}', {
              amount: formatRupees(amount),
              name: buyerOf(payment),
            })}
          >
            {t('Paper for the bank')}
          </AllowedLink>
        )}
      </div>
      <div className="grid shrink-0 justify-items-end gap-1">
        <span className="tabular font-semibold whitespace-nowrap">
          {isOut ? `−${formatRupees(amount)}` : formatRupees(amount)}
        </span>
        {(status !== 'approved' || isRequest(payment)) && <Status payment={payment} />}
      </div>
    </li>
  )
}

function Keys({ userId }: { userId: string }) {
  const [page, setPage] = useState(0)
  const asked = { id: userId, limit: KEYS_PAGE_SIZE, skip: page * KEYS_PAGE_SIZE }
  const keys = usePanel(askFor('users', 'keys', asked), { placeholderData: keepPreviousData })
  const total = keys.data?.total ?? 0
  return (
    <>
      <Rows
        query={{ ...keys, data: keys.data?.keys }}
        empty={
          <EmptyState
            icon={<KeyRound size={22} />}
            title={t('No keys yet')}
            text={t('Keys this buyer buys will show here.')}
          />
        }
      >
        {(key) => <KeyRow key={key._id} bought={key} />}
      </Rows>
      {total > KEYS_PAGE_SIZE && (
        <Pagination page={page} pageSize={KEYS_PAGE_SIZE} total={total} onPage={setPage} className="py-2" />
      )}
    </>
  )
}

function KeyRow({ bought }: { bought: UserKey }) {
  const { ending, productId, duration, assignedAt, expiresAt, isExpired } = bought
  return (
    <li className="flex items-start justify-between gap-4 py-3 text-sm">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {productId.name} <span className="font-normal text-fg-2">· {durationText(duration)}</span>
        </p>
        <p className="text-xs text-fg-3">
          {textWith(isExpired ? 'Bought {bought} · Expired {end}' : 'Bought {bought} · Valid till {end}', {
            bought: <Time value={assignedAt} />,
            end: <Time value={expiresAt} />,
          })}
        </p>
      </div>
      <div className="grid shrink-0 justify-items-end gap-1">
        <span className="font-mono text-xs text-fg-2">
          {ending ? (
            <>
              <span aria-hidden translate="no">
                …{ending}
              </span>
              <span className="sr-only">{t('Key ending in {ending}', { ending })}</span>
            </>
          ) : (
            <span className="text-fg-3">{t('Key not shown')}</span>
          )}
        </span>
        <Chip tone={isExpired ? 'neutral' : 'ok'}>{isExpired ? t('Expired') : t('Active')}</Chip>
      </div>
    </li>
  )
}
