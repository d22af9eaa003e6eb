import { FIRST_STEPS } from '../../../../contract/guide.ts'
import type { Overview } from '../../../../contract/reports.ts'
import { denied, calls } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { GuideStepRow } from './guide-step-row.tsx'
import { GUIDE } from './guide-steps.ts'
import { StepsDone } from './steps-done.tsx'
import { nextStep, useGuide } from './use-guide.ts'

/** The steps that a new store needs before its first sale; after them, the next one of the setup guide. */
export function FirstSteps({ steps }: { steps: NonNullable<Overview['firstSteps']> }) {
  if (FIRST_STEPS.every((name) => steps[name])) return <LaterSteps />
  return (
    <Panel
      aria-label={t('Set up your store')}
      title={t('Set up your store')}
      description={t('Finish these steps to start selling.')}
      actions={<StepsDone />}
    >
      <ol className="-mb-2 divide-y divide-line">
        {FIRST_STEPS.map((name) => (
          <GuideStepRow key={name} step={name} state={steps[name] ? 'done' : 'open'} />
        ))}
      </ol>
    </Panel>
  )
}

/**
 * After the first sale: what is left of the setup guide, in one line. Nothing once each is done or skipped, nor on a
 * phone where the card of one step asks already.
 */
export function StepsLeft() {
  const { data } = useGuide()
  const left = data?.steps.filter(({ state }) => state === 'open').length ?? 0
  if (left === 0 || denied(calls.settings.markGuideStep)) return null
  return (
    <Link
      to={GUIDE}
      className={
        '-my-2 inline-flex min-h-11 items-center px-1 text-sm font-semibold text-fg-2 underline max-sm:[aside~&]:hidden'
      }
    >
      {t('Setup guide: {count, plural, one {# step left} other {# steps left}}', { count: left })}
    </Link>
  )
}

function LaterSteps() {
  const { data } = useGuide()
  const next = data && nextStep(data.steps)
  if (!next || denied(calls.settings.markGuideStep)) return null
  return (
    <Panel
      aria-label={t('Ready to sell')}
      title={t('Ready to sell')}
      description={t('A few more steps help you find and keep buyers.')}
      actions={
        <Link to={GUIDE} className="inline-flex min-h-11 items-center text-sm font-semibold text-brand hover:underline">
          {t('All steps')}
        </Link>
      }
    >
      <ol className="-mb-2">
        <GuideStepRow step={next} state="open" />
      </ol>
    </Panel>
  )
}
