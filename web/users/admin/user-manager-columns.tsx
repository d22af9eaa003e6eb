import { Ban, Link2, LockOpen, Smartphone, UserRound } from 'lucide-react'
import type { AdminUser } from '../../../contract/users.ts'
import { getBoot } from '../../platform/calls/boot.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/buttons/copyable.tsx'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import { Email } from '../../ui/admin/email.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { deleting, editing } from '../../ui/admin/lists/usual-actions.tsx'
import { WhatsAppPhone } from '../../ui/admin/whats-app-phone.tsx'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'

interface UserActions {
  /** The users whose devices are being unlocked. */
  unlocking: readonly string[]
  unblocking: readonly string[]
  edit: (user: AdminUser) => void
  open: (user: AdminUser) => void
  unlock: (user: AdminUser) => void
  sendLink: (user: AdminUser) => void
  block: (user: AdminUser) => void
  unblock: (user: AdminUser) => void
  remove: (user: AdminUser) => void
}

export function columns(): Column<AdminUser>[] {
  return [
    {
      title: t('User'),
      className: 'xl:min-w-40',
      cell: (user) => (
        <span className="font-medium wrap-anywhere">
          <span translate="no">{user.username}</span> {blockedOf(user)}
        </span>
      ),
      small: emailOf,
    },
    {
      title: t('Contact'),
      fact: phoneOf,
      cell: (user) =>
        user.contact ? (
          <span className="-my-3 inline-flex items-center">
            {phoneOf(user)}
            <CopyButton text={user.contact} what={t('phone {phone}', { phone: user.contact })} />
          </span>
        ) : (
          <span className="text-fg-3">–</span>
        ),
    },
    {
      title: t('Joined'),
      className: 'whitespace-nowrap',
      fact: ({ createdAt, lastSeenAt }) => (
        <>
          {lastSeenAt ? t('Last active') : t('Joined')}{' '}
          <Time value={lastSeenAt ?? createdAt} {...(!lastSeenAt && { format: 'date' })} />
        </>
      ),
      cell: ({ createdAt, lastSeenAt }) => (
        <>
          <p className="text-fg-2">
            <Time value={createdAt} format="date" />
          </p>
          <p className="text-xs text-fg-3">
            {lastSeenAt ? (
              <>
                {t('Last active')} <Time value={lastSeenAt} format="date" />
              </>
            ) : (
              t('Not active recently')
            )}
          </p>
        </>
      ),
    },
    { title: t('Pricing'), card: 'children', cell: pricingOf },
    {
      title: t('Balance'),
      align: 'right',
      card: 'figure',
      cell: ({ balance }) => <Money rupees={balance} className="font-semibold" />,
    },
  ]
}

const blockedOf = ({ blocked }: AdminUser) => blocked && <Chip tone="bad">{t('Blocked')}</Chip>

const emailOf = ({ email }: AdminUser) => <Email address={email} />

const greeting = (name: string) => t('Hello {name}, this is {store}.', { name, store: getBoot().site.websiteName })

const phoneOf = ({ username, contact }: AdminUser) =>
  contact && (
    <span translate="no" className="tabular font-mono">
      <WhatsAppPhone phone={contact} text={greeting(username)} />
    </span>
  )

export const faceOf = (user: AdminUser): RecordFace => ({
  name: user.username,
  caption: emailOf(user),
  figureName: t('Balance'),
  state: blockedOf(user),
})

/** Actions for a user, the most used first, and in every row at the same place. No link helps one who is blocked. */
export const actionsOf =
  ({ unlocking, unblocking, edit, open, unlock, sendLink, block, unblock, remove }: UserActions) =>
  (user: AdminUser): Action[] => {
    const name = user.username
    const isBlocked = user.blocked !== null
    return [
      editing({ name: t('Edit {name}', { name }), run: () => edit(user) }),
      isBlocked
        ? {
            label: t('Unblock'),
            name: t('Unblock {name}', { name }),
            icon: <LockOpen size={17} aria-hidden />,
            denied: denied(calls.users.unblock),
            pending: unblocking.includes(user._id),
            run: () => unblock(user),
          }
        : {
            label: t('Password'),
            name: t('Password link for {name}', { name }),
            icon: <Link2 size={17} aria-hidden />,
            denied: denied(calls.users.issueResetLink),
            run: () => sendLink(user),
          },
      {
        label: t('Device'),
        name: t('Reset device lock for {name}', { name }),
        icon: <Smartphone size={17} aria-hidden />,
        denied:
          denied(calls.users.unlockDevice) ??
          (user.deviceLockedAt === null ? t('Not locked. The next device to log in will be locked in.') : undefined),
        pending: unlocking.includes(user._id),
        run: () => unlock(user),
      },
      {
        label: t('Details'),
        name: t('Details of {name}: payments, keys and devices', { name }),
        icon: <UserRound size={17} aria-hidden />,
        run: () => open(user),
      },
      ...(isBlocked
        ? []
        : [
            {
              label: t('Block'),
              name: t('Block {name}', { name }),
              icon: <Ban size={17} aria-hidden />,
              denied: denied(calls.users.block),
              run: () => block(user),
            },
          ]),
      deleting({
        name: t('Delete {name}', { name }),
        denied: denied(calls.users.remove),
        run: () => remove(user),
      }),
    ]
  }

/** A card says only what differs from the standard. */
function pricingOf({ customPrices, hiddenProducts, group }: AdminUser, onCard?: string) {
  if (customPrices.length + hiddenProducts.length === 0 && !group)
    return !onCard && <span className="text-fg-3">{t('Standard')}</span>
  return (
    <span className="flex flex-wrap gap-1.5">
      {group && <Chip tone="brand">{group.name}</Chip>}
      {customPrices.length > 0 && (
        <Chip tone="brand">
          {t('{count, plural, one {# custom price} other {# custom prices}}', { count: customPrices.length })}
        </Chip>
      )}
      {hiddenProducts.length > 0 && (
        <Chip tone="warn">
          {t('{count, plural, one {# hidden product} other {# hidden products}}', { count: hiddenProducts.length })}
        </Chip>
      )}
    </span>
  )
}
