import { useCall } from '../../../platform/calls/use-call.ts'
import type { GuideStep } from '../../../../contract/guide.ts'
import type { Guide } from '../../../../contract/reports.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { toast, toastError } from '../../../platform/navigation/toast.ts'
import { isOnlyHere } from '../../../platform/admin/only-here.ts'
import { useShareCode } from '../../../referrals/admin/share-code.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Loaded } from '../../../ui/page/loaded.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { GuideStepRow } from './guide-step-row.tsx'
import { guideEntries } from './guide-steps.ts'
import { useGuide } from './use-guide.ts'

/** Every step from an empty store to a shared sign-up link, to come back to at any time. */
export function GuideScreen() {
  const guide = useGuide()
  const steps = guide.data?.steps
  const left = steps?.filter(({ state }) => state === 'open').length
  const done = steps?.filter(({ state }) => state === 'done').length ?? 0
  return (
    <Page title={t('Setup guide')} hideTitle>
      <div className="mx-auto max-w-180">
        <Panel
          title={t('Setup guide')}
          description={
            left === 0 ? t('Your store is set up.') : t('Set up your store step by step. You can skip any step.')
          }
          actions={steps && <Chip tone="brand">{t('{done} of {count} complete', { done, count: steps.length })}</Chip>}
        >
          <Loaded query={guide} skeleton="h-192">
            {({ steps }) => <Steps steps={steps} />}
          </Loaded>
        </Panel>
      </div>
    </Page>
  )
}

function Steps({ steps }: { steps: Guide['steps'] }) {
  const mark = useCall('settings.markGuideStep')
  const share = useShareCode()
  const refused = denied(calls.settings.markGuideStep)
  const markStep = (step: GuideStep, state: 'done' | 'skipped') => mark.mutate({ step, state }, { onError: toastError })
  const shareLink = async () => {
    try {
      const codes = await client.referrals.list({})
      const code = codes.find(({ isActive, maxUsage, usageCount }) => isActive && usageCount < (maxUsage ?? Infinity))
      if (code) {
        share.share(code)
        // A link that opens here alone has reached nobody
        if (!isOnlyHere()) markStep('share', 'done')
      } else {
        toast(t('Create a referral code first. Buyers need one to sign up.'), { tone: 'info' })
      }
    } catch (error) {
      toastError(error)
    }
  }
  const presses: Partial<Record<GuideStep, () => void>> = {
    buyerView() {
      open('/', '_blank', 'noopener')
      markStep('buyerView', 'done')
    },
    share: () => void shareLink(),
  }
  return (
    <ol className="-mb-2 divide-y divide-line">
      {steps.map(({ name, state }) => (
        <GuideStepRow key={name} step={name} state={state} onPress={refused ? undefined : presses[name]}>
          {state === 'open' && (
            <Button
              variant="ghost"
              size="sm"
              denied={refused}
              disabled={mark.isPending}
              aria-label={t('Skip: {step}', { step: guideEntries()[name].title })}
              onClick={() => markStep(name, 'skipped')}
            >
              {t('Skip')}
            </Button>
          )}
        </GuideStepRow>
      ))}
    </ol>
  )
}
