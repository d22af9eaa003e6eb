import { Undo2 } from 'lucide-react'
import type { Payment } from '../../../../contract/payments.ts'
import { useConfirmed } from '../../../bank/admin/bank-queries.ts'
import { serverNow } from '../../../platform/clock.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { AtWidth } from '../../../ui/admin/at-width.tsx'
import { sumOf, TickAll } from '../../../ui/admin/lists/ticks.tsx'
import { WeightyButton } from '../../../ui/buttons/weighty-button.tsx'
import { takeBack, useHeld, useUndone } from '../requests/held-approvals.ts'
import { isConfirmed, isWarned } from './marks.ts'

interface BulkBarProps {
  open: readonly Payment[]
  /** True if the list holds all waiting requests and nothing else. */
  isQueue: boolean
  /** False for what is decided or held, also on other pages. */
  isUndecided: (id: string) => boolean
  chosen: readonly Payment[]
  onAll: (on: boolean, these: readonly Payment[]) => void
  onApprove: (these: readonly Payment[]) => void
}

/** One button for several requests. What the bank confirms comes first. What has a warning is ticked by hand. */
export function BulkBar({ open, isQueue, isUndecided, chosen, onAll, onApprove }: BulkBarProps) {
  const held = useHeld()
  const isUndone = useUndone()
  const everywhere = useConfirmed().data?.payments ?? []
  const now = serverNow()
  const clean = open.filter((payment) => !isWarned(payment, now))
  const confirmed = (isQueue ? everywhere.filter(({ _id }) => isUndecided(_id)) : open).filter(
    (payment) => isConfirmed(payment) && !isWarned(payment, now),
  )
  const offer = held.length > 1 ? 'undo' : chosen.length > 0 ? 'chosen' : confirmed.length > 0 ? 'confirmed' : 'all'
  const meant = { undo: [], chosen, confirmed, all: clean }[offer]
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <TickAll
        rows={clean}
        chosen={chosen}
        onAll={(on) => onAll(on, clean)}
        {...(open.length > 0 && { none: t('None without a warning') })}
      />
      {offer === 'undo' ? (
        <WeightyButton
          does={offer}
          data-undo
          size="sm"
          variant="secondary"
          icon={<Undo2 size={16} aria-hidden />}
          onClick={() => takeBack(...held)}
        >
          {t('Undo {count}', { count: held.length })}
        </WeightyButton>
      ) : (
        (offer !== 'all' || (open.length > 1 && clean.length > 0)) && (
          <WeightyButton
            does={offer}
            rests={isUndone}
            size="sm"
            variant={offer === 'all' ? 'secondary' : 'primary'}
            denied={denied(calls.payments.approve)}
            onClick={() => onApprove(meant)}
          >
            {offer === 'chosen' ? (
              t('Approve {count}', { count: meant.length })
            ) : offer === 'all' ? (
              clean.length === open.length ? (
                t('Approve all {count}', { count: meant.length })
              ) : (
                <AtWidth
                  wide={t('Approve {count} without a warning · {amount}', {
                    count: meant.length,
                    amount: sumOf(meant),
                  })}
                  narrow={t('Approve {count} without a warning', { count: meant.length })}
                />
              )
            ) : (
              <AtWidth
                wide={t('Approve {count} confirmed by the bank · {amount}', {
                  count: meant.length,
                  amount: sumOf(meant),
                })}
                narrow={t('Approve {count} confirmed', { count: meant.length })}
              />
            )}
          </WeightyButton>
        )
      )}
    </div>
  )
}
