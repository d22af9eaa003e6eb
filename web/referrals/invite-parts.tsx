/** Inviting friends, where a buyer meets it: on the account, after a purchase, with a payment, and with a product. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, QrCode, Share2 } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import type { OwnInvites } from '../../contract/invites.ts'
import { loadWords } from '../platform/catalogues.ts'
import { queryClient } from '../platform/calls/queries.ts'
import { useSite } from '../platform/calls/site.ts'
import { formatDate } from '../platform/dates.ts'
import { t } from '../platform/i18n.ts'
import { formatCount, formatRupees } from '../platform/money.ts'
import { Link } from '../platform/navigation/router.tsx'
import { hasShareSheet, share } from '../platform/files/share-sheet.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { Button, buttonClass } from '../ui/buttons/button.tsx'
import { CopyTextButton } from '../ui/buttons/copy-text-button.tsx'
import type { Shared } from '../ui/pictures/link-dialog.tsx'
import { openDialog } from '../ui/overlays/open-dialog.ts'
import { ErrorState } from '../ui/page/error-state.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { Panel } from '../ui/page/panel.tsx'
import { inviteLink, ownInvites, productLink, termsText } from './invites.ts'

const LinkDialog = lazyPart(() => import('../ui/pictures/link-dialog.tsx').then((file) => file.LinkDialog))

/** With their words, and with the answer that they begin with, so that each appears whole. */
export const loadInvites = () =>
  Promise.all([loadWords('-invites'), queryClient.prefetchQuery({ ...ownInvites, retry: false })]).then(() => ({
    InvitePanel,
    InviteLine,
    FriendOffer,
  }))

export const loadShare = () => loadWords('-invites').then(() => ShareProduct)

/** On the account. Nothing while the owner has it off. */
function InvitePanel() {
  const { data, error, refetch, isFetching } = useQuery(ownInvites)
  if (error && !data)
    return (
      <Panel title={t('Invite a friend')}>
        <ErrorState error={error} onRetry={refetch} retrying={isFetching} className="py-6" />
      </Panel>
    )
  if (!data?.isOn) return null
  return (
    <Panel title={t('Invite a friend')} description={termsText(data)}>
      {data.code ? (
        <Ways code={data.code} terms={data} />
      ) : (
        <p className="text-sm font-medium">
          {data.paused ? t('Your invitations are paused.') : t('Your own first payment must show in our bank first.')}
        </p>
      )}
      <Figures {...data} />
      <WhenItCounts {...data} />
    </Panel>
  )
}

function Ways({ code, terms }: { code: string; terms: OwnInvites }) {
  const { websiteName } = useSite()
  const shared = inviteLink(code, websiteName, terms)
  const link = location.origin + shared.path
  const chat = `https://wa.me/?text=${encodeURIComponent(`${shared.text} ${link}`)}`
  const openSheet = useOneAtATime(async () => {
    if (!(await share({ title: websiteName, text: shared.text, url: link }))) location.assign(chat)
  })
  return (
    <div className="flex flex-wrap gap-2">
      <a
        href={chat}
        target="_blank"
        rel="noopener noreferrer"
        className={buttonClass({ wide: true })}
        onClick={(event) => {
          if (!hasShareSheet()) return
          event.preventDefault()
          openSheet()
        }}
      >
        <Share2 size={17} aria-hidden />
        {t('Share on WhatsApp')}
      </a>
      <CopyTextButton text={link} label={t('Copy link')} />
      <Button
        variant="secondary"
        icon={<QrCode size={17} aria-hidden />}
        onClick={() => openDialog(LinkDialog, { shared })}
      >
        {t('QR code')}
      </Button>
    </div>
  )
}

function Figures({ code, joined, waiting, counted, notCounted, earned, leftThisMonth }: OwnInvites) {
  const parts = [
    joined > 0 && t('{count, plural, one {# friend joined} other {# friends joined}}', { count: joined }),
    waiting > 0 && t('{count} waiting', { count: formatCount(waiting) }),
    joined > 0 && t('{count} counted', { count: formatCount(counted) }),
    notCounted > 0 && t('{count} not counted', { count: formatCount(notCounted) }),
    earned > 0 && t('{amount} earned', { amount: formatRupees(earned) }),
  ].filter((part) => part !== false)
  return (
    <div className="mt-4 grid gap-1 text-sm text-fg-2 empty:hidden">
      {parts.length > 0 && <p className="tabular font-medium text-fg">{parts.join(' · ')}</p>}
      {code && (
        <p>
          {leftThisMonth > 0
            ? t('{amount} left this month.', { amount: formatRupees(leftThisMonth) })
            : t('You have earned all you can this month. Your friends still get theirs.')}
        </p>
      )}
    </div>
  )
}

function WhenItCounts({ minimum, days }: OwnInvites) {
  return (
    <details className="group mt-2 text-sm">
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-1.5 rounded-control font-medium">
        {t('When does a friend count?')}
        <ChevronDown size={16} aria-hidden className="shrink-0 text-fg-3 transition-transform group-open:rotate-180" />
      </summary>
      <p className="pb-1 text-fg-2">
        {t(
          'They pay {minimum} or more from their own bank account, on their own phone, within 30 days. We see it ' +
            'when we upload our statement, usually within days. The credit lasts {days, plural, one {# day} other ' +
            '{# days}}.',
          { minimum: formatRupees(minimum), days },
        )}
      </p>
    </details>
  )
}

/** Under new keys: one quiet line, for buyers who can invite. */
function InviteLine() {
  const { data } = useQuery(ownInvites)
  if (!data?.code || data.leftThisMonth === 0) return null
  return (
    <p className="mt-3 text-center text-sm">
      <Link to="/account" className="inline-flex min-h-11 items-center text-brand hover:underline">
        {t('Invite a friend and get {amount}', { amount: formatRupees(data.reward) })}
      </Link>
    </p>
  )
}

/** In Add Money: what an invited buyer's first payment brings. */
function FriendOffer() {
  const offer = useQuery(ownInvites).data?.asFriend
  return (
    offer && (
      <p className="mb-5 text-sm text-brand">
        {t('Add {minimum} or more by {date}: {amount} on top, once our bank shows it.', {
          minimum: formatRupees(offer.minimum),
          date: formatDate(offer.until),
          amount: formatRupees(offer.amount),
        })}
      </p>
    )
  )
}

/** Under an order. Its link carries the buyer's own code, where there is one. */
function ShareProduct({ product }: { product: Product }) {
  const { websiteName } = useSite()
  const [shared, setShared] = useState<Shared>()
  const [isOpen, setOpen] = useState(false)
  const send = useOneAtATime(async () => {
    const invites = await queryClient.fetchQuery({ ...ownInvites, retry: false }).catch(() => undefined)
    const link = productLink(product, websiteName, invites?.code)
    const { text, path } = link
    if (hasShareSheet() && (await share({ title: websiteName, text, url: location.origin + path }))) return
    setShared(link)
    setOpen(true)
  })
  return (
    <>
      <Button wide variant="ghost" icon={<Share2 size={17} aria-hidden />} onClick={send}>
        {t('Share this product')}
      </Button>
      {shared && <LinkDialog open={isOpen} onClose={() => setOpen(false)} shared={shared} />}
    </>
  )
}
