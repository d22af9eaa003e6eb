import { useState } from 'react'
import type { BankCredit } from '../../../../contract/bank-shapes.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees, sumRupees } from '../../../platform/money.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { payerOf } from './payer-of.ts'

/** Which credits of a list are chosen, with a box for each. */
export function useTicks(open: readonly BankCredit[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  return {
    chosen: open.filter(({ _id }) => ticked.has(_id)),
    tickAll: (on: boolean) => setTicked(new Set(on ? open.map(({ _id }) => _id) : [])),
    boxOf: (credit: BankCredit) =>
      open.includes(credit) && (
        <label className="-my-2 -ml-3 grid size-11 shrink-0 place-items-center">
          <input
            type="checkbox"
            className="checkbox"
            aria-label={t('Select {amount} from {name}', {
              amount: formatRupees(credit.amount),
              name: payerOf(credit),
            })}
            checked={ticked.has(credit._id)}
            onChange={({ target }) => {
              const next = new Set(ticked)
              if (target.checked) next.add(credit._id)
              else next.delete(credit._id)
              setTicked(next)
            }}
          />
        </label>
      ),
  }
}

interface AsideBarProps {
  open: readonly BankCredit[]
  ticks: ReturnType<typeof useTicks>
  onAside: (credits: readonly BankCredit[]) => void
}

/** Sets several credits aside with one reason. */
export function AsideBar({ open, ticks: { chosen, tickAll }, onAside }: AsideBarProps) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-x-4 gap-y-2 large-text:flex-wrap">
      <label className="flex min-h-11 min-w-0 items-center gap-2.5 text-sm select-none">
        <input
          type="checkbox"
          className="checkbox"
          checked={chosen.length === open.length}
          onChange={({ target }) => tickAll(target.checked)}
        />
        {chosen.length > 0
          ? t('{count} selected · {amount}', {
              count: chosen.length,
              amount: formatRupees(sumRupees(chosen.map(({ amount }) => amount))),
            })
          : t('Select all {count}', { count: open.length })}
      </label>
      {chosen.length > 0 && (
        <Button size="sm" variant="secondary" onClick={() => onAside(chosen)}>
          {t('Set aside {count}', { count: chosen.length })}
        </Button>
      )}
    </div>
  )
}
