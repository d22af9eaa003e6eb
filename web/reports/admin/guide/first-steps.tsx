import { useState } from 'react'
import { FIRST_STEPS } from '../../../../contract/guide.ts'
import type { Overview } from '../../../../contract/reports.ts'
import { denied, calls } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { Link, useLocation } from '../../../platform/navigation/router.tsx'
import { useStore } from '../../../platform/store.ts'
import { useHydrated } from '../../../platform/use-hydrated.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { GuideStepRow } from './guide-step-row.tsx'
import { cardOf, firstRun, goToCard, nextCard, type Card } from './first-run-at.ts'
import { GUIDE, guideEntries } from './guide-steps.ts'
import { nextStep, useGuide } from './use-guide.ts'

const FirstRun = lazyPart(() => import('./first-run.tsx').then((file) => file.FirstRun))

type Steps = NonNullable<Overview['firstSteps']>

/** The steps that a new store needs before its first sale; after them, the next one of the setup guide. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const card = useCard(steps)
  const [wasOpened, setOpened] = useState(false)
  if (card && !wasOpened) setOpened(true)
  return (
    <>
      {wasOpened && <FirstRun steps={steps} card={card} />}
      {FIRST_STEPS.every((name) => steps[name]) ? <LaterSteps /> : <OpenSteps steps={steps} />}
    </>
  )
}

/**
 * The card of the first run that this tab is at. Links to a part of the dashboard, and roles that may not do each step,
 * get none.
 */
function useCard(steps: Steps): Card | undefined {
  const at = useStore(firstRun)
  const { hash } = useLocation()
  const isAlive = useHydrated()
  return isAlive && hash === '' && mayDoAll() ? cardOf(at, steps) : undefined
}

const mayDoAll = () => FIRST_STEPS.every((name) => !denied(guideEntries()[name].call))

function OpenSteps({ steps }: { steps: Steps }) {
  const done = FIRST_STEPS.filter((name) => steps[name]).length
  return (
    <Panel
      aria-label={t('Set up your store')}
      title={t('Set up your store')}
      description={t('Finish these steps to start selling.')}
      actions={<Chip tone="brand">{t('{done} of {count} complete', { done, count: FIRST_STEPS.length })}</Chip>}
    >
      {mayDoAll() && (
        <Button className="mb-2" onClick={() => goToCard(nextCard(steps))}>
          {t('Continue')}
        </Button>
      )}
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
