import type { BankCredit } from '../../../../contract/bank-shapes.ts'
import { t } from '../../../platform/i18n.ts'
import { TickAll, TickOne, useTicks } from '../../../ui/admin/lists/ticks.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { payerOf } from './payer-of.ts'

/** Somebody has submitted it, so it is ignored only if ticked by hand. */
export const isWarned = ({ rivals }: BankCredit) => rivals.length > 0

/** Which credits of a list are chosen, with a box for each. */
export function useBoxes(open: readonly BankCredit[]) {
  const ticks = useTicks(open)
  return {
    ...ticks,
    boxOf: (credit: BankCredit) =>
      open.includes(credit) && (
        <TickOne
          amount={credit.amount}
          name={payerOf(credit)}
          checked={ticks.ticked.has(credit._id)}
          onTick={(on) => ticks.tick(credit._id, on)}
        />
      ),
  }
}

interface AsideBarProps {
  open: readonly BankCredit[]
  ticks: ReturnType<typeof useTicks<BankCredit>>
  onAside: (credits: readonly BankCredit[]) => void
}

/** Sets several credits aside with one reason. */
export function AsideBar({ open, ticks: { chosen, tickAll }, onAside }: AsideBarProps) {
  const clean = open.filter((credit) => !isWarned(credit))
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <TickAll rows={clean} chosen={chosen} onAll={(on) => tickAll(on, clean)} none={t('None without a warning')} />
      {chosen.length > 0 && (
        <Button size="sm" variant="secondary" onClick={() => onAside(chosen)}>
          {t('Ignore {count}', { count: chosen.length })}
        </Button>
      )}
    </div>
  )
}
