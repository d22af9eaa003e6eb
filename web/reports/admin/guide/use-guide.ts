/** The progress of the setup guide, and the step that this tab is at. */
import type { GuideStep } from '../../../../contract/guide.ts'
import type { Guide } from '../../../../contract/reports.ts'
import { guide } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { createStore } from '../../../platform/store.ts'
import { keepTab, readTab } from '../../../platform/tab-storage.ts'

const AT_STEP = 'guide'
const POLL_INTERVAL_MS = 3_000

/** The step that the person went to from the guide. Kept in the tab, over a reload. */
export const stepAt = createStore(readTab(AT_STEP) as string | null, null)

export function goToStep(step: GuideStep | null): void {
  keepTab(AT_STEP, step)
  stepAt.set(step)
}

/** Saving a form elsewhere refetches the overview, and so the guide. Other steps are seen a moment later. */
export const useGuide = ({ isAtStep = false }: { isAtStep?: boolean } = {}) =>
  usePanel(guide, isAtStep ? { refetchInterval: POLL_INTERVAL_MS } : {})

type Steps = Guide['steps']

/** @returns the next open step after this one, or else the first open one */
export function nextStep(steps: Steps, after?: GuideStep | null): GuideStep | undefined {
  const at = steps.findIndex(({ name }) => name === after)
  const isOpen = ({ name, state }: Steps[number]) => state === 'open' && name !== after
  return (steps.slice(at + 1).find(isOpen) ?? steps.find(isOpen))?.name
}
