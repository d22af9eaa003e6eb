import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { middayOf } from '../../../contract/india.ts'
import { KIND_NAMES, kindOf } from '../../../contract/message-kinds.ts'
import type { Proof } from '../../../contract/proofs.ts'
import { actionText } from '../../audit/admin/audit-words.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees, sumRupees } from '../../platform/money.ts'
import { isolated, payeeText } from '../../settings/payee-text.ts'
import { cx } from '../../ui/cx.ts'
import { indiaDate, indiaDateTime } from './india-dates.ts'
import { isProven } from './letter.ts'

/** Longer tables show their beginning. The JSON has all of it. */
const ROWS_MAX = 100
const WHOLE_MAX = 24

/** The facts of a proof, in the order of its call. */
export function ProofTables({ proof, text }: { proof: Proof; text: string }) {
  const { request, decision, buyer, store, bank, spent } = proof
  const { filedBy } = request
  return (
    <>
      {!bank.some(isProven) && (
        <p className="rounded-control border border-warn/30 bg-warn/10 px-3 py-2 text-warn">
          {t('No statement shows this money yet.')}
        </p>
      )}
      {filedBy !== undefined && <InBank bank={bank} />}
      <Facts
        title={t('The payment')}
        facts={[
          [t('Number'), proof.number],
          [t('UTR'), request.utr],
          [t('Amount'), formatRupees(request.amount)],
          [t('Entered by the buyer'), request.asked === request.amount ? '' : formatRupees(request.asked)],
          [t('Added to wallet'), formatRupees(request.credited)],
          [t('Paid to'), payeeText(request.paidTo ?? { upiId: store.upiId })],
          [
            filedBy === undefined ? t('UTR sent') : t('Credited without a request'),
            [indiaDateTime(request.filedAt), filedBy].filter(Boolean).join(', '),
          ],
          [t('Phone'), request.phone],
          [t('IP address'), request.address],
          [t('Device'), request.device],
          [t('Terms accepted'), request.terms && termsText(request.terms)],
          [t('Decision'), decisionText(proof)],
          [t('Reason'), decision.reason],
          [t('Held by the bank'), proof.held ? indiaDateTime(proof.held) : null],
        ]}
      />
      {filedBy === undefined && <InBank bank={bank} />}
      <Facts
        title={t('The buyer')}
        facts={[
          [t('Username'), buyer.username],
          [t('Email'), buyer.email],
          [t('Joined'), indiaDateTime(buyer.joinedAt)],
          [t('Referral code'), buyer.referralCode],
          [t('Account deleted on'), buyer.deletedAt && indiaDateTime(buyer.deletedAt)],
        ]}
      />
      <Table
        title={t('Logins of the buyer, 7 days before and after')}
        head={[t('Date'), t('IP address'), t('Device')]}
        rows={buyer.logins.map(({ at, address, device }) => [indiaDateTime(at), address, device])}
      />
      <Table
        title={t('What was delivered for it')}
        head={[t('Date'), t('Product'), t('Paid from this money'), t('Keys'), t('Complaints')]}
        rows={spent.map((order) => [
          indiaDateTime(order.at),
          `${order.quantity} × ${order.productName} (${durationText(order.duration)})`,
          paidText(order),
          whole(order.keys),
          order.claims.map(({ number, state }) => `#${number} ${stateText(state)}`).join(', ') || t('None'),
        ])}
      />
      <After proof={proof} text={text} />
    </>
  )
}

/** The rows of the bank. Money that came without a request has them first, because all began with them. */
function InBank({ bank }: Pick<Proof, 'bank'>) {
  return (
    <Table
      title={t('In the bank')}
      head={[t('Date'), t('Amount'), t('UTR'), t('Payer'), t('Account'), t('Source')]}
      rows={bank.map(({ day, at, amount, refs, payerName, payerVpa, account, source, importedAt }) => [
        at ? indiaDateTime(at) : indiaDate(middayOf(day)),
        formatRupees(amount),
        whole(refs),
        [isolated(payerName), payerVpa].filter(Boolean).join(', '),
        account,
        [sourceText(source), importedAt && indiaDateTime(importedAt)].filter(Boolean).join(', '),
      ])}
    />
  )
}

/** A text that is cut in two is two wrong ones to who types it. Whole keys can be too long to stay in one line. */
const whole = (texts: readonly string[]) => (
  <span className="flex max-w-56 flex-wrap gap-x-2">
    {texts.map((text, nth) => (
      // oxlint-disable-next-line react/no-array-index-key -- two keys can have the same ends
      <span key={nth} className={cx(text.length <= WHOLE_MAX && 'whitespace-nowrap')}>
        {text}
      </span>
    ))}
  </span>
)

const termsText = ({ version, at }: NonNullable<Proof['request']['terms']>): string =>
  t('Version {version}, on {day}', { version, day: indiaDateTime(at) })

/** What came after the purchases, and how to check the paper. */
function After({ proof, text }: { proof: Proof; text: string }) {
  const sumOf = (wanted: string) => {
    const amounts = proof.ledger.flatMap(({ kind, amount }) => (kind === wanted ? [amount] : []))
    return amounts.length === 0 ? null : formatRupees(sumRupees(amounts))
  }
  return (
    <>
      <Facts
        title={t('What became of the money')}
        facts={[
          [t('Spent'), formatRupees(sumRupees(proof.spent.map(({ amount }) => amount)))],
          ...['refund', 'admin_debit', 'deduction_lapsed'].map((kind) => [kindText(kind), sumOf(kind)] as const),
          [t('Expired'), formatRupees(proof.expired)],
          [t('Left'), formatRupees(proof.left)],
          [t('Taken back'), proof.takenBack && formatRupees(proof.takenBack.taken)],
          [t('Complaints'), String(proof.spent.flatMap(({ claims }) => claims).length || t('None'))],
        ]}
      />
      <Table
        title={t('Every change of this credit')}
        head={[t('Date'), t('Kind'), t('Amount')]}
        rows={proof.ledger.map(({ at, kind, amount }) => [indiaDateTime(at), kindText(kind), formatRupees(amount)])}
      />
      <Table
        title={t('Messages to the buyer')}
        head={[t('Date'), t('Message'), t('Way'), t('State')]}
        rows={proof.messages.map(({ at, kind, channel, state }) => [
          indiaDateTime(at),
          messageText(kind),
          worded(channel, { push: t('Phone'), email: t('Email'), telegram: t('Telegram') }),
          worded(state, { sent: t('Sent'), dead: t('Failed'), dropped: t('Not needed'), waiting: t('Waiting') }),
        ])}
      />
      <Table
        title={t('Audit log')}
        head={[t('Date'), t('Entry'), t('Admin')]}
        rows={proof.audit.entries.map(({ at, action, admin }) => [indiaDateTime(at), actionText(action), admin])}
      />
      <footer className="text-xs wrap-anywhere text-fg-3">
        <p>{t('Made by {name} on {day}.', { name: proof.madeBy, day: indiaDateTime(proof.madeAt) })}</p>
        <Check text={text} />
      </footer>
    </>
  )
}

/** The SHA-256 of this proof, as the audit log keeps it. Browsers can compute it on an https address only. */
function Check({ text }: { text: string }) {
  const { data } = useQuery({
    queryKey: ['proof-check', text],
    queryFn: async () => {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
    },
    enabled: isSecureContext,
    staleTime: Infinity,
    gcTime: 0,
  })
  return data ? <p className="font-mono">{t('Check: {hash}', { hash: data })}</p> : null
}

function decisionText({ decision: { status, by, at } }: Proof): string {
  if (status === 'pending' || at === null) return t('Pending')
  const name = by || t('the rules of the store')
  const said = status === 'approved' ? t('Approved by {name}.', { name }) : t('Rejected by {name}.', { name })
  return `${said} ${indiaDateTime(at)}`
}

function paidText({ amount, paid, bonus, refundedHere }: Proof['spent'][number]): string {
  return [
    formatRupees(amount),
    amount !== paid && t('of {amount}, together with other credit of the same buyer', { amount: formatRupees(paid) }),
    bonus > 0 && t('{amount} of it bonus', { amount: formatRupees(bonus) }),
    refundedHere > 0 && t('{amount} refunded', { amount: formatRupees(refundedHere) }),
  ]
    .filter(Boolean)
    .join(', ')
}

const sourceText = (source: Proof['bank'][number]['source']): string =>
  ({ none: t('Not proven'), alert: t('Alert'), report: t('Report of the payment app'), statement: t('Statement') })[
    source
  ]

/** A kind or a state of a newer store stays as it is written. */
const worded = (text: string, words: Record<string, string>): string => words[text] ?? text

const stateText = (state: string): string =>
  worded(state, {
    open: t('open'),
    replaced: t('key replaced'),
    refunded: t('refunded'),
    rejected: t('rejected'),
    withdrawn: t('withdrawn'),
  })

const messageText = (kind: string): string => {
  const name = KIND_NAMES.find((each) => each === kind)
  return name ? t(kindOf(name).label) : kind
}

const kindText = (kind: string): string =>
  worded(kind, {
    topup: t('Top-up'),
    purchase: t('Purchase'),
    refund: t('Refund'),
    expiry: t('Expired'),
    admin_debit: t('Deducted by admin'),
    deduction_lapsed: t('Deduction ended'),
    reversal: t('Taken back'),
  })

interface FactsProps {
  title: string
  /** Those without a value are left out. */
  facts: readonly (readonly [string, string | null])[]
}

function Facts({ title, facts }: FactsProps) {
  return (
    <section>
      <h3 className="font-semibold">{title}</h3>
      <dl className="mt-2 grid gap-1">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name} className="grid grid-cols-[minmax(6rem,11rem)_minmax(0,1fr)] gap-3">
                <dt className="text-fg-3">{name}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  )
}

interface TableProps {
  title: string
  head: readonly string[]
  rows: readonly (readonly ReactNode[])[]
}

function Table({ title, head, rows }: TableProps) {
  const id = useId()
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it */}
      <div tabIndex={0} role="group" aria-labelledby={id} className="mt-2 overflow-x-auto">
        <table className="w-full border-collapse text-left text-xs">
          <thead>
            <tr className="border-b border-line text-fg-3">
              {head.map((name) => (
                <th key={name} scope="col" className="py-1 pr-3 font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, ROWS_MAX).map((cells, nth) => (
              // oxlint-disable-next-line react/no-array-index-key -- the rows of a paper never move
              <tr key={nth} className="border-b border-line align-top">
                {cells.map((cell, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- as above
                  <td key={column} className="min-w-16 py-1 pr-3 wrap-anywhere">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > ROWS_MAX && (
        <p className="mt-1 text-xs text-fg-3">
          {t('The first {shown} of {count}. The JSON file has all of them.', { shown: ROWS_MAX, count: rows.length })}
        </p>
      )}
    </section>
  )
}
