import { QrCode, Share2 } from 'lucide-react'
import type { ReferralCode } from '../../../contract/referrals.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { deleting, editing } from '../../ui/admin/lists/usual-actions.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/buttons/copyable.tsx'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { isUsedUp, usageText, usageTone, usedShare } from './usage.ts'

export interface CodeRows {
  toggle: (referral: ReferralCode, change: Pick<ReferralCode, 'isActive'>) => void
  share: (referral: ReferralCode) => void
  show: ((referral: ReferralCode) => void) | undefined
  edit: (referral: ReferralCode) => void
  remove: (referral: ReferralCode) => void
}

export function columnsOf({ toggle }: CodeRows): Column<ReferralCode>[] {
  return [
    {
      title: t('Code'),
      cell: ({ code, description }) => (
        <div className="max-w-72 min-w-0">
          <Code code={code} />
          <p className="text-xs wrap-break-word text-fg-3">{description}</p>
        </div>
      ),
    },
    {
      title: t('Usage'),
      className: 'w-48',
      fact: usageText,
      cell: (referral) => (
        <div className="grid w-40 gap-1.5">
          <span className="tabular flex items-center gap-2 text-xs whitespace-nowrap">
            {usageText(referral)}
            {isUsedUp(referral) && <Chip tone="bad">{t('Limit reached')}</Chip>}
          </span>
          <UsageBar referral={referral} />
        </div>
      ),
    },
    {
      title: t('Reward'),
      align: 'right',
      fact: ({ given }) => given > 0 && givenText(given),
      cell: ({ rewardAmount, paysAfterTopUp, given }) =>
        rewardAmount > 0 || given > 0 ? (
          <>
            <Money rupees={rewardAmount} />
            {paysAfterTopUp && <span className="block text-xs text-fg-3">{t('with the first top-up')}</span>}
            <span className="block text-xs text-fg-3">{givenText(given)}</span>
          </>
        ) : (
          <span className="text-fg-3">{t('None')}</span>
        ),
    },
    {
      title: t('Created'),
      fact: ({ createdAt }) => <Time value={createdAt} format="date" />,
      cell: ({ createdAt }) => <Time value={createdAt} format="date" className="whitespace-nowrap" />,
      small: ({ createdBy: { username } }) => t('by {username}', { username }),
    },
    {
      title: t('Active'),
      card: 'aside',
      cell: (referral, short) => (
        <Switch
          bare={!short}
          short={short}
          label={t('{code} is active', { code: referral.code })}
          checked={referral.isActive}
          denied={denied(calls.referrals.update)}
          onChange={(isActive) => toggle(referral, { isActive })}
        />
      ),
    },
  ]
}

const givenText = (rupees: number): string => t('Given so far {amount}', { amount: formatRupees(rupees) })

function Code({ code }: { code: string }) {
  return (
    <div className="-my-2 flex items-center">
      <span translate="no" className="font-mono font-semibold wrap-anywhere">
        {code}
      </span>
      <CopyButton text={code} what={t('code {code}', { code })} />
    </div>
  )
}

function UsageBar({ referral }: { referral: ReferralCode }) {
  const share = usedShare(referral)
  return share === undefined ? null : <ShareBar share={share} tone={usageTone(referral)} />
}

export function faceOf(referral: ReferralCode): RecordFace {
  const { code, description, rewardAmount } = referral
  return {
    name: code,
    title: <Code code={code} />,
    caption: description,
    figure: rewardAmount > 0 && <Money rupees={rewardAmount} />,
    figureName: t('Reward'),
    state: isUsedUp(referral) && <Chip tone="bad">{t('Limit reached')}</Chip>,
    children: <UsageBar referral={referral} />,
  }
}

export function actionsOf(referral: ReferralCode, { share, show, edit, remove }: CodeRows): Action[] {
  const { code } = referral
  return [
    {
      label: t('Share'),
      name: t('Share sign-up link of {code}', { code }),
      icon: <Share2 size={17} aria-hidden />,
      run: () => share(referral),
    },
    editing({ name: t('Edit {code}', { code }), denied: denied(calls.referrals.update), run: () => edit(referral) }),
    ...(show
      ? [
          {
            label: t('Show QR code'),
            name: t('Show QR code of {code}', { code }),
            icon: <QrCode size={17} aria-hidden />,
            run: () => show(referral),
          },
        ]
      : []),
    deleting({
      name: t('Delete {code}', { code }),
      denied: denied(calls.referrals.remove),
      run: () => remove(referral),
    }),
  ]
}
