import { useState } from 'react'
import type { BankCredit } from '../../../../contract/bank-shapes.ts'
import { t } from '../../../platform/i18n.ts'
import { TickAll, TickOne } from '../../../ui/admin/lists/ticks.tsx'
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
        <TickOne
          amount={credit.amount}
          name={payerOf(credit)}
          checked={ticked.has(credit._id)}
          onTick={(on) => {
            const next = new Set(ticked)
            if (on) next.add(credit._id)
            else next.delete(credit._id)
            setTicked(next)
          }}
        />
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
      <TickAll rows={open} chosen={chosen} onAll={tickAll} />
      {chosen.length > 0 && (
        <Button size="sm" variant="secondary" onClick={() => onAside(chosen)}>
          {t('Set aside {count}', { count: chosen.length })}
        </Button>
      )}
    </div>
  )
}
