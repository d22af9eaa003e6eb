import { useId, useState } from 'react'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'

const HeardList = lazyPart(() => import('./heard-list.tsx').then((file) => file.HeardList), {
  waiting: <Skeleton className="h-14" />,
  missing: 'line',
})

/** What a phone has sent within a day, and what became of it. */
export function HeardToday({ id, name }: { id: string; name: string }) {
  const [open, setOpen] = useState(false)
  const list = useId()
  if (denied(calls.bank.heard) !== undefined) return null
  return (
    <div className="basis-full">
      <Button
        size="sm"
        variant="ghost"
        aria-expanded={open}
        aria-controls={list}
        aria-label={t('Messages today from {name}', { name })}
        onClick={() => setOpen(!open)}
      >
        {t('Messages today')}
      </Button>
      <div id={list} aria-live="polite">
        {open && <HeardList id={id} />}
      </div>
    </div>
  )
}
