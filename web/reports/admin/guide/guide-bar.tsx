import { useCall } from '../../../platform/calls/use-call.ts'
import { ArrowRight, X } from 'lucide-react'
import { GUIDE_STEPS } from '../../../../contract/guide.ts'
import { t } from '../../../platform/i18n.ts'
import { useLocation, navigate } from '../../../platform/navigation/router.tsx'
import { useStore } from '../../../platform/store.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { IconButton } from '../../../ui/buttons/icon-button.tsx'
import { GUIDE, guideEntries } from './guide-steps.ts'
import { goToStep, nextStep, stepAt, useGuide } from './use-guide.ts'

/** Above the screen to which the setup guide has led: which step this is, and the way to the next one. */
export function GuideBar() {
  const kept = useStore(stepAt)
  const step = GUIDE_STEPS.find((name) => name === kept) ?? null
  const { pathname } = useLocation()
  const { data } = useGuide({ isAtStep: step !== null })
  const mark = useCall('settings.markGuideStep')
  if (!step || !data || pathname === GUIDE) return null
  const entries = guideEntries()
  const isDone = data.steps.find(({ name }) => name === step)?.state === 'done'
  const next = nextStep(data.steps, step)
  const leave = () => goToStep(null)
  const goOn = async () => {
    const entry = next && entries[next]
    // Some steps are done in the guide itself
    const isElsewhere = entry && entry.to !== GUIDE
    goToStep(isElsewhere ? next : null)
    await navigate(isElsewhere ? { to: entry.to, ...(entry.hash && { hash: entry.hash }) } : { to: GUIDE })
  }
  const skip = async () => {
    if (!isDone) await mark.mutateAsync({ step, state: 'skipped' }).catch(() => undefined)
    await goOn()
  }
  return (
    <section
      aria-label={t('Setup guide')}
      className={
        'bar sticky top-16 z-20 mb-4 flex items-center gap-2 rounded-card border border-brand-line bg-raised ' +
        'py-1.5 pr-1.5 pl-4'
      }
    >
      <p className="min-w-0 flex-1 text-sm" aria-live="polite">
        <span className="block text-xs text-fg-3">
          {t('Step {n} of {count}', { n: GUIDE_STEPS.indexOf(step) + 1, count: GUIDE_STEPS.length })}
        </span>
        <span className="block font-medium">{isDone ? t('Done') : entries[step].title}</span>
      </p>
      {isDone ? (
        <Button size="sm" icon={<ArrowRight size={16} aria-hidden />} onClick={() => void goOn()}>
          {t('Next')}
        </Button>
      ) : (
        <Button size="sm" variant="ghost" pending={mark.isPending} onClick={() => void skip()}>
          {t('Skip')}
        </Button>
      )}
      <IconButton label={t('Leave the guide')} icon={<X size={18} aria-hidden />} onClick={leave} />
    </section>
  )
}
