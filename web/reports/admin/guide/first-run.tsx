/** The first run of a new store: one card a step, without the dashboard around it. */
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { FIRST_STEPS } from '../../../../contract/guide.ts'
import { DEFAULT_WEBSITE_NAME, TITLE_LENGTH_MAX } from '../../../../contract/limits.ts'
import type { Overview } from '../../../../contract/reports.ts'
import { supportHint } from '../../../settings/admin/store-sections.tsx'
import { redrawSharePicture } from '../../../settings/admin/redraw-share-picture.ts'
import { useUpi } from '../../../settings/use-upi.ts'
import { suggestCode } from '../../../referrals/admin/referral-form.ts'
import { client } from '../../../platform/calls/client.ts'
import { queryClient } from '../../../platform/calls/queries.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { useFace } from '../../../platform/calls/site.ts'
import { t } from '../../../platform/i18n.ts'
import { useStore } from '../../../platform/store.ts'
import { failure, SettingsForm, useSettings } from '../../../ui/admin/forms/settings-form.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { IconButton } from '../../../ui/buttons/icon-button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Modal } from '../../../ui/overlays/modal.tsx'
import { openDialog, openedDialogs } from '../../../ui/overlays/open-dialog.ts'
import { PayeeField } from '../settings/payee-field.tsx'
import { goToCard, nextCard, type Card, type FirstStep } from './first-run-at.ts'
import { guideEntries } from './guide-steps.ts'
import { ShareCard } from './share-card.tsx'

const ProductDialog = lazyPart(() =>
  import('../../../catalogue/admin/product-dialog.tsx').then((file) => file.ProductDialog),
)
const KeyImportDialog = lazyPart(() =>
  import('../../../keys/admin/import/key-import-dialog.tsx').then((file) => file.KeyImportDialog),
)

type Steps = NonNullable<Overview['firstSteps']>

/** Asks for one step after the other. Back, Escape and the cross lead to the dashboard. */
export function FirstRun({ steps, card }: { steps: Steps; card: Card | undefined }) {
  const id = useId()
  const leave = () => goToCard('left')
  // Keeps the last card while it moves out
  const [last, setLast] = useState<Card>('name')
  if (card && card !== last) setLast(card)
  const shown = card ?? last
  const done = FIRST_STEPS.filter((step) => steps[step]).length
  return (
    <Modal open={card !== undefined} onClose={leave} labelledBy={`${id}-title`} sticky className="card-sheet">
      <div className="flex items-center gap-3 px-5 pt-4 sm:px-6 sm:pt-6">
        <progress className="sr-only" aria-label={t('Setup')} max={FIRST_STEPS.length} value={done} />
        <span aria-hidden className="flex flex-1 gap-1.5">
          {FIRST_STEPS.map((step) => (
            <span
              key={step}
              className={cx(
                'h-1.5 flex-1 rounded-full',
                steps[step] ? 'bg-brand' : step === shown ? 'bg-fg-3' : 'bg-hover',
              )}
            />
          ))}
        </span>
        <IconButton
          label={t('Leave the guide')}
          icon={<X size={18} aria-hidden />}
          onClick={leave}
          className="-mr-2.5"
        />
      </div>
      <div key={shown} className="grid flex-auto scroll-y content-start gap-5 px-5 pt-6 pb-8 sm:px-6">
        <Words id={`${id}-title`} card={shown} steps={steps} />
        {card && <Body card={card} steps={steps} />}
      </div>
    </Modal>
  )
}

function Words({ id, card, steps }: { id: string; card: Card; steps: Steps }) {
  const isReady = steps.upiId && steps.product && steps.keys
  const { title, hint } =
    card === 'share'
      ? {
          title: isReady ? t('Your store is ready') : t('Share your sign-up link'),
          hint: t('This is how your link looks in WhatsApp. Send it to your first buyers.'),
        }
      : guideEntries()[card]
  return (
    <div>
      {card !== 'share' && (
        <p className="text-xs text-fg-3">
          {t('Step {n} of {count}', { n: FIRST_STEPS.indexOf(card) + 1, count: FIRST_STEPS.length })}
        </p>
      )}
      <h2 id={id} className="text-2xl font-semibold">
        {title}
      </h2>
      <p className="mt-1 text-fg-2">{hint}</p>
    </div>
  )
}

interface StepProps {
  onDone: () => void
  /** Beside the main button: "Later", or "Next" on a step that is done. */
  later: ReactNode
}

function Body({ card, steps }: { card: Card; steps: Steps }) {
  if (card === 'share') return <ShareCard isMade={steps.referralCode} onEnd={() => goToCard('left')} />
  const Step = BODIES[card]
  const onDone = () => goToCard(nextCard(steps, card))
  return (
    <Step
      key={card}
      onDone={onDone}
      later={
        <Button variant="ghost" onClick={onDone}>
          {steps[card] ? t('Next') : t('Later')}
        </Button>
      }
      isDone={steps[card]}
    />
  )
}

const OVERVIEW = ['reports', 'overview']

/** For the field of a card that comes into an open dialog. */
const focus = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true })

function NameStep({ onDone, later }: StepProps) {
  const site = useFace()
  const form = useSettings({
    saved: { ...site, websiteName: site.websiteName === DEFAULT_WEBSITE_NAME ? '' : site.websiteName },
    queryKey: ['settings', 'site'],
    send: ({ websiteName = '' }: { websiteName?: string }) =>
      client.settings.saveSite({ websiteName, websiteTitle: site.websiteTitle }),
    onSaved(saved) {
      void redrawSharePicture(saved)
      onDone()
    },
  })
  const { save, texts, faults, field } = form
  const isBlank = (texts.websiteName ?? '').trim() === ''
  return (
    <SettingsForm
      form={{ ...form, isChanged: form.isChanged && !isBlank }}
      error={failure(t('Failed to update website name/title.'), save.error)}
      call={calls.settings.saveSite}
      label={t('Save and continue')}
      beside={later}
    >
      <Field label={t('Website name')} error={faults['websiteName']}>
        <Input maxLength={TITLE_LENGTH_MAX} data-autofocus ref={focus} {...field('websiteName')} />
      </Field>
    </SettingsForm>
  )
}

function UpiStep({ onDone, later }: StepProps) {
  const upi = useUpi()
  const form = useSettings({
    saved: upi.data,
    queryKey: ['settings', 'upi'],
    send: (typed: { upiId?: string; payeeName?: string }) => client.settings.saveUpi(typed),
    onSaved: onDone,
  })
  const fault = form.faults['upiId']
  return (
    <SettingsForm
      form={form}
      error={fault ? undefined : failure(t('Failed to update UPI ID.'), form.save.error)}
      call={calls.settings.saveUpi}
      label={t('Save and continue')}
      beside={later}
    >
      <Field
        label={t('UPI ID')}
        hint={t('Like name@bank. Your UPI app shows it in your profile.')}
        error={fault && `${t('Failed to update UPI ID.')} ${fault}`}
      >
        <Input mono autoCapitalize="off" spellCheck={false} data-autofocus ref={focus} {...form.field('upiId')} />
      </Field>
      <PayeeField error={form.faults['payeeName']} optional {...form.field('payeeName')} />
    </SettingsForm>
  )
}

function CodeStep({ onDone, later, isDone }: StepProps & { isDone: boolean }) {
  const [suggested] = useState(() => ({ code: suggestCode() }))
  const form = useSettings({
    saved: suggested,
    queryKey: ['referrals', 'first'],
    async send(typed: { code?: string }) {
      const code = { ...suggested, ...typed }
      await client.referrals.create({ ...code, description: t('First code'), paysAfterTopUp: true })
      return code
    },
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ['referrals'] })
      void queryClient.invalidateQueries({ queryKey: OVERVIEW })
      onDone()
    },
  })
  if (isDone) return <div className="grid gap-3">{later}</div>
  return (
    <SettingsForm
      form={{ ...form, isChanged: form.texts.code !== '' }}
      error={failure(t('Failed to create referral code.'), form.save.error)}
      call={calls.referrals.create}
      label={t('Save and continue')}
      beside={later}
    >
      <Field label={t('Code')} hint={t('Buyers enter this code to sign up.')} error={form.faults['code']}>
        <Input
          mono
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={32}
          data-autofocus
          ref={focus}
          className="uppercase"
          {...form.field('code')}
        />
      </Field>
    </SettingsForm>
  )
}

function SupportStep({ onDone, later }: StepProps) {
  const queryKey = ['settings', 'store']
  const store = useQuery({ queryKey, queryFn: ({ signal }) => client.settings.store({}, { signal }) })
  const form = useSettings({
    saved: store.data,
    queryKey,
    send: (typed: { supportUrl?: string }) => client.settings.saveStore(typed),
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ['settings'] })
      onDone()
    },
  })
  const field = form.field('supportUrl')
  return (
    <SettingsForm
      form={form}
      error={failure(t('Failed to save settings.'), form.save.error)}
      call={calls.settings.saveStore}
      label={t('Save and continue')}
      beside={later}
    >
      <Field label={t('Support link')} hint={supportHint(field.value)} error={form.faults['supportUrl']}>
        <Input
          key={store.data ? 'ready' : 'loading'}
          placeholder={t('WhatsApp number or link')}
          data-autofocus
          ref={focus}
          {...field}
        />
      </Field>
    </SettingsForm>
  )
}

interface SheetStepProps extends StepProps {
  isDone: boolean
  label: string
  open: () => void
}

/** A step of a sheet, which opens with its card. Once the sheet has closed on a done step, the next card comes. */
function SheetStep({ onDone, later, isDone, label, open }: SheetStepProps) {
  const isOpen = useStore(openedDialogs).some((each) => each.isOpen)
  const latest = useRef({ open, onDone })
  useEffect(() => {
    latest.current = { open, onDone }
  })
  const state = useRef(isDone ? 'seen' : 'fresh')
  useEffect(() => {
    if (state.current === 'fresh') {
      state.current = 'asked'
      latest.current.open()
    } else if (state.current === 'asked' && !isOpen) {
      if (isDone) latest.current.onDone()
      else void queryClient.invalidateQueries({ queryKey: OVERVIEW })
    }
  }, [isOpen, isDone])
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        onClick={() => {
          state.current = 'asked'
          open()
        }}
      >
        {label}
      </Button>
      {later}
    </div>
  )
}

const ProductStep = (props: StepProps & { isDone: boolean }) => (
  <SheetStep {...props} label={t('New product')} open={() => openDialog(ProductDialog, {})} />
)

const KeysStep = (props: StepProps & { isDone: boolean }) => (
  <SheetStep {...props} label={t('Add keys')} open={() => openDialog(KeyImportDialog, { wanted: {} })} />
)

const BODIES: Record<FirstStep, (props: StepProps & { isDone: boolean }) => ReactNode> = {
  name: NameStep,
  upiId: UpiStep,
  product: ProductStep,
  keys: KeysStep,
  referralCode: CodeStep,
  supportLink: SupportStep,
}
