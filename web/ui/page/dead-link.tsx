import { Link2Off } from 'lucide-react'
import { t } from '../../platform/i18n.ts'

/** Says that the link which opened this page does not work, and why. */
export function DeadLink({ why }: { why: string }) {
  return (
    <div role="alert" className="flex w-full items-start gap-2.5 rounded-card border border-line bg-sunken p-4 text-sm">
      <Link2Off size={18} className="mt-0.5 shrink-0 text-warn" aria-hidden />
      <div>
        <p className="font-semibold">{t('This link does not work')}</p>
        <p className="mt-0.5 text-fg-2">{why}</p>
      </div>
    </div>
  )
}
