import type { ReactNode } from 'react'
import { ArrowRight, Check, Minus } from 'lucide-react'
import type { GuideStep } from '../../../../contract/guide.ts'
import type { Guide } from '../../../../contract/reports.ts'
import { AllowedLink } from '../../../platform/admin/allowed-link.tsx'
import { t } from '../../../platform/i18n.ts'
import { useUpi } from '../../../settings/use-upi.ts'
import { cx } from '../../../ui/cx.ts'
import { GUIDE, guideEntries } from './guide-steps.ts'
import { goToStep } from './use-guide.ts'

interface GuideStepRowProps {
  step: GuideStep
  state: Guide['steps'][number]['state']
  /** An action on the spot, instead of a link. */
  onPress?: (() => void) | undefined
  /** Beside the row. */
  children?: ReactNode
}

const row =
  '-mx-2 flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-control px-2 py-1.5 text-left large-text:basis-full'

/** One step of the setup guide, which leads to the place where it is done. */
export function GuideStepRow({ step, state, onPress, children }: GuideStepRowProps) {
  const { title, hint, call, to, hash } = guideEntries()[step]
  const isOpen = state === 'open'
  const upi = useUpi().data
  const lacksName = step === 'upiId' && state === 'done' && upi !== undefined && !upi.payeeName
  const words = (
    <>
      <span
        className={cx(
          'grid size-6 shrink-0 place-items-center rounded-full border',
          isOpen ? 'border-line-2' : state === 'done' ? 'border-transparent bg-ok/14 text-ok' : 'border-line text-fg-3',
        )}
      >
        {state === 'done' && <Check aria-hidden className="size-4" />}
        {state === 'skipped' && <Minus aria-hidden className="size-4" />}
      </span>
      <span className="min-w-0 flex-1">
        <span className={cx('block', isOpen ? 'font-medium' : 'text-fg-2')}>{title}</span>
        {state !== 'done' && <span className="block text-xs text-fg-3">{hint}</span>}
        {lacksName && <span className="block text-xs text-warn">{t('Add the name that buyers will see.')}</span>}
        {!isOpen && <span className="sr-only">{state === 'done' ? t('Done') : t('Skipped')}</span>}
      </span>
      {isOpen && (
        <ArrowRight
          aria-hidden
          className="hidden size-4 shrink-0 text-fg-3 group-hover:text-fg in-[a]:block in-[button]:block"
        />
      )}
    </>
  )
  return (
    <li className="flex items-center gap-2 py-1 large-text:flex-wrap">
      {onPress ? (
        <button type="button" onClick={onPress} className={cx(row, 'group hover:bg-hover')}>
          {words}
        </button>
      ) : (
        <AllowedLink
          call={call}
          to={to}
          {...(hash !== undefined && { hash })}
          // Holds an early press, because without the scripts the guide would not learn of it
          data-held
          onClick={() => goToStep(to === GUIDE ? null : step)}
          className={row}
          linkClassName="group hover:bg-hover"
        >
          {words}
        </AllowedLink>
      )}
      {children}
    </li>
  )
}
