import { ArrowRight, Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { Overview } from '../../../contract/reports.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { t } from '../../platform/i18n.ts'
import { calls } from '../../platform/admin/roles.ts'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { Panel } from '../../ui/panel.tsx'
import { SUPPORT_SECTION } from '../../settings/admin/settings-form.tsx'
import { UPI_ROW } from './settings-rows.tsx'

/** Lists the steps that a new store needs before its first sale, each with a link. */
export function FirstSteps({ steps }: { steps: NonNullable<Overview['firstSteps']> }) {
  const done = Object.values(steps).filter(Boolean).length
  const count = Object.values(steps).length
  if (done === count) return null
  return (
    <Panel
      aria-label={t('Set up your store')}
      title={t('Set up your store')}
      description={t('Complete these {count} steps to start selling.', { count })}
      actions={<Chip tone="brand">{t('{done} of {count} complete', { done, count })}</Chip>}
    >
      <ol className="-mb-2 divide-y divide-line">
        <Step
          isDone={steps.upiId}
          title={t('Add your UPI ID')}
          hint={t('Buyers pay to this ID. We create the QR code from it.')}
          call={calls.settings.saveUpi}
          to="/admin"
          hash={UPI_ROW}
        />
        <Step
          isDone={steps.product}
          title={t('Add a product')}
          hint={t('Set a price for each duration.')}
          call={calls.catalogue.create}
          to="/admin/product-manager"
        />
        <Step
          isDone={steps.keys}
          title={t('Add keys')}
          hint={t('Paste keys or upload a file.')}
          call={calls.keys.add}
          to="/admin/key-manager"
        />
        <Step
          isDone={steps.referralCode}
          title={t('Create a referral code')}
          hint={t('Buyers need a code to sign up.')}
          call={calls.referrals.create}
          to="/admin/referral-manager"
        />
        <Step
          isDone={steps.supportLink}
          title={t('Add a support link')}
          hint={t('Buyers write to you there, for example on WhatsApp.')}
          call={calls.settings.saveStore}
          to="/admin/settings"
          hash={SUPPORT_SECTION}
        />
      </ol>
    </Panel>
  )
}

interface StepProps extends Pick<ComponentProps<typeof AllowedLink>, 'call' | 'to' | 'hash'> {
  isDone: boolean
  title: string
  hint: ReactNode
}

function Step({ isDone, title, hint, ...target }: StepProps) {
  return (
    <li className="py-1">
      <AllowedLink
        {...target}
        className="-mx-2 flex min-h-14 items-center gap-3 rounded-control px-2 py-1.5"
        linkClassName="group hover:bg-hover"
      >
        <span
          className={cx(
            'grid size-6 shrink-0 place-items-center rounded-full border',
            isDone ? 'border-transparent bg-ok/14 text-ok' : 'border-line-2',
          )}
        >
          {isDone && <Check aria-hidden className="size-4" />}
        </span>
        <span className="min-w-0 flex-1">
          <span className={cx('block', isDone ? 'text-fg-2' : 'font-medium')}>{title}</span>
          {!isDone && <span className="block text-xs text-fg-3">{hint}</span>}
          {isDone && <span className="sr-only">{t('Done')}</span>}
        </span>
        {!isDone && (
          <ArrowRight aria-hidden className="hidden size-4 shrink-0 text-fg-3 group-hover:text-fg in-[a]:block" />
        )}
      </AllowedLink>
    </li>
  )
}
