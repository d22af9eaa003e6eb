import { t } from '../../../platform/i18n.ts'
import { Chip } from '../../../ui/chip.tsx'
import { useGuide } from './use-guide.ts'

/** How many steps of the setup guide are done, in one count wherever it is said. */
export function StepsDone() {
  const steps = useGuide().data?.steps
  if (!steps) return null
  const done = steps.filter(({ state }) => state === 'done').length
  return <Chip tone="brand">{t('{done} of {count} complete', { done, count: steps.length })}</Chip>
}
