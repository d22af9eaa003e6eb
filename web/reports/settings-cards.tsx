import { lazy, Suspense, useState } from 'react'
import { RefreshCw } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { NOTICE_LENGTH_MAX, TITLE_LENGTH_MAX } from '../../contract/limits.ts'
import { ApiError, errorMessage } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { calls, denied } from '../platform/roles.ts'
import { useSite } from '../platform/site.ts'
import { toast } from '../platform/toast.ts'
import { useUpi } from '../settings/use-upi.ts'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { Chip } from '../ui/chip.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { Input } from '../ui/input.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { Textarea } from '../ui/textarea.tsx'

const UpiPreview = lazy(() => import('./upi-preview.tsx').then((file) => ({ default: file.UpiPreview })))

/** Notice, name and title, where buyers pay and whether they can, and the forced refresh. */
export function SettingsCards() {
  return (
    <div className="grid items-start gap-4 sm:gap-6 wide:grid-cols-2">
      <NoticeCard />
      <SiteCard />
      <UpiCard />
      <StoreCard />
      <PaymentSwitchCard />
      <RefreshCard />
    </div>
  )
}

/** What the server refused, with the literal words for it; what is wrong with a field stands at the field. */
function failure(words: string, error: unknown): string | undefined {
  if (!error) return undefined
  const isAboutField = error instanceof ApiError && Object.keys(error.fields).length > 0
  return isAboutField ? words : `${words} ${errorMessage(error)}`
}

function fieldFault(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.fields[field] : undefined
}

function NoticeCard() {
  const queries = useQueryClient()
  const notice = useQuery({
    queryKey: ['settings', 'notice'],
    queryFn: ({ signal }) => client.settings.notice({}, { signal }),
  })
  const [typed, setTyped] = useState<string>()
  const text = typed ?? notice.data?.text ?? ''
  const save = useMutation({
    mutationFn: (next: string) => client.settings.saveNotice({ text: next }),
    onSuccess(saved) {
      queries.setQueryData(['settings', 'notice'], saved)
      setTyped(undefined)
      toast(saved.text ? t('Notice saved. Buyers see it on their dashboard.') : t('Notice taken down'))
    },
  })
  if (notice.error && !notice.data) return <CardError error={notice.error} onRetry={notice.refetch} />
  return (
    <Panel title={t('Notice')} description={t('On every buyer’s dashboard; empty for none.')}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate(text)
        }}
      >
        <Field
          label={t('Notice text')}
          aside={text.length > NOTICE_LENGTH_MAX / 2 && `${text.length} / ${NOTICE_LENGTH_MAX}`}
          error={fieldFault(save.error, 'text')}
        >
          <Textarea
            value={text}
            maxLength={NOTICE_LENGTH_MAX}
            rows={4}
            disabled={!notice.data}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <FormError>{failure(t('Failed to update notice.'), save.error)}</FormError>
        <Button
          type="submit"
          className="justify-self-start"
          pending={save.isPending}
          denied={denied(calls.settings.saveNotice)}
          disabled={typed === undefined}
        >
          {t('Save notice')}
        </Button>
      </form>
    </Panel>
  )
}

function SiteCard() {
  const queries = useQueryClient()
  const site = useSite()
  const [typed, setTyped] = useState<Partial<typeof site>>({})
  const { websiteName, websiteTitle } = { ...site, ...typed }
  const save = useMutation({
    mutationFn: () => client.settings.saveSite({ websiteName, websiteTitle }),
    onSuccess(saved) {
      queries.setQueryData(['settings', 'site'], saved)
      setTyped({})
      toast(t('Name and title saved. Open pages take them over within 1 minute.'))
    },
  })
  const isChanged = websiteName !== site.websiteName || websiteTitle !== site.websiteTitle
  return (
    <Panel title={t('Website name and title')} description={t('In the header, and in the browser’s tab.')}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <Field label={t('Website name')} error={fieldFault(save.error, 'websiteName')}>
          <Input
            value={websiteName}
            maxLength={TITLE_LENGTH_MAX}
            autoComplete="off"
            onChange={(event) => setTyped({ ...typed, websiteName: event.target.value })}
          />
        </Field>
        <Field label={t('Website title')} error={fieldFault(save.error, 'websiteTitle')}>
          <Input
            value={websiteTitle}
            maxLength={TITLE_LENGTH_MAX}
            autoComplete="off"
            onChange={(event) => setTyped({ ...typed, websiteTitle: event.target.value })}
          />
        </Field>
        <FormError>{failure(t('Failed to update website name/title.'), save.error)}</FormError>
        <Button
          type="submit"
          className="justify-self-start"
          pending={save.isPending}
          denied={denied(calls.settings.saveSite)}
          disabled={!isChanged || !websiteName.trim() || !websiteTitle.trim()}
        >
          {t('Save name and title')}
        </Button>
      </form>
    </Panel>
  )
}

function UpiCard() {
  const queries = useQueryClient()
  const upi = useUpi()
  const [typed, setTyped] = useState<string>()
  const upiId = typed ?? upi.data?.upiId ?? ''
  const save = useMutation({
    mutationFn: (next: string) => client.settings.saveUpi({ upiId: next }),
    onSuccess(saved) {
      queries.setQueryData(['settings', 'upi'], saved)
      setTyped(undefined)
      toast(saved.upiId ? t('UPI ID saved. Buyers pay to {upiId}.', { upiId: saved.upiId }) : t('UPI ID removed'))
    },
  })
  if (upi.error && !upi.data) return <CardError error={upi.error} onRetry={upi.refetch} />
  return (
    <Panel title={t('UPI ID')} description={t('Where buyers pay. Scan the code once with your own phone to be sure.')}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate(upiId.trim())
        }}
      >
        <Field
          label={t('UPI ID')}
          hint={t('Such as name@bank; empty takes the QR code and the link away.')}
          error={fieldFault(save.error, 'upiId')}
        >
          <Input
            mono
            value={upiId}
            disabled={!upi.data}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => {
              setTyped(event.target.value)
              if (save.isError) save.reset()
            }}
          />
        </Field>
        <FormError>{failure(t('Failed to update UPI ID.'), save.error)}</FormError>
        <Button
          type="submit"
          className="justify-self-start"
          pending={save.isPending}
          denied={denied(calls.settings.saveUpi)}
          disabled={typed === undefined || upiId.trim() === upi.data?.upiId}
        >
          {t('Save UPI ID')}
        </Button>
        <Suspense fallback={<Skeleton className="h-50" />}>
          <UpiPreview upiId={upiId.trim()} />
        </Suspense>
      </form>
    </Panel>
  )
}

interface TermsForm {
  supportUrl: string
  topupMax: string
  /** Empty for never. */
  topupValidityDays: string
  stepUpAbove: string
  merchantVpa: boolean
}

function StoreCard() {
  const queries = useQueryClient()
  const store = useQuery({
    queryKey: ['settings', 'store'],
    queryFn: ({ signal }) => client.settings.store({}, { signal }),
  })
  const [typed, setTyped] = useState<Partial<TermsForm>>({})
  const save = useMutation({
    mutationFn: ({ topupValidityDays: days, ...rest }: Partial<TermsForm>) =>
      client.settings.saveStore({
        ...rest,
        ...(days !== undefined && { topupValidityDays: days.trim() === '' ? null : days.trim() }),
      }),
    onSuccess(saved) {
      queries.setQueryData(['settings', 'store'], saved)
      void queries.invalidateQueries({ queryKey: ['settings'] })
      setTyped({})
      toast(t('Support and top-up terms saved'))
    },
  })
  if (store.error && !store.data) return <CardError error={store.error} onRetry={store.refetch} />
  const { data } = store
  const form: TermsForm | undefined = data && {
    supportUrl: data.supportUrl,
    topupMax: String(data.topupMax),
    topupValidityDays: data.topupValidityDays === null ? '' : String(data.topupValidityDays),
    stepUpAbove: String(data.stepUpAbove),
    merchantVpa: data.merchantVpa,
    ...typed,
  }
  const change = (part: Partial<TermsForm>) => {
    setTyped({ ...typed, ...part })
    if (save.isError) save.reset()
  }
  const field = (name: Exclude<keyof TermsForm, 'merchantVpa'>) => ({
    value: form?.[name] ?? '',
    disabled: !form,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  })
  return (
    <Panel title={t('Support and top-ups')} description={t('Where buyers get help, and the terms of their money.')}>
      <form
        className="grid items-start gap-3 sm:grid-cols-2"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate(typed)
        }}
      >
        <Field
          label={t('Support link')}
          hint={t('Your chat or help page; empty for none.')}
          error={fieldFault(save.error, 'supportUrl')}
          className="sm:col-span-2"
        >
          <Input type="url" inputMode="url" placeholder="https://" {...field('supportUrl')} />
        </Field>
        <Field label={t('Largest top-up (₹)')} hint={t('For one request.')} error={fieldFault(save.error, 'topupMax')}>
          <Input inputMode="decimal" className="tabular" {...field('topupMax')} />
        </Field>
        <Field
          label={t('Top-ups last (days)')}
          hint={t('Empty for ever.')}
          error={fieldFault(save.error, 'topupValidityDays')}
        >
          <Input inputMode="numeric" className="tabular" {...field('topupValidityDays')} />
        </Field>
        <Field
          label={t('Ask for proof above (₹)')}
          hint={t('A larger change of a wallet asks an admin with a second factor to prove themselves again.')}
          error={fieldFault(save.error, 'stepUpAbove')}
          className="sm:col-span-2"
        >
          <Input inputMode="decimal" className="tabular" {...field('stepUpAbove')} />
        </Field>
        <Switch
          label={t('Verified merchant')}
          hint={t('Payer apps then take your QR code from the gallery at any amount.')}
          checked={form?.merchantVpa ?? false}
          disabled={!form}
          denied={denied(calls.settings.saveStore)}
          onChange={(merchantVpa) => change({ merchantVpa })}
          className="sm:col-span-2"
        />
        <div className="empty:hidden sm:col-span-2">
          {save.error && <FormError>{failure(t('Failed to save the terms.'), save.error)}</FormError>}
        </div>
        <Button
          type="submit"
          className="justify-self-start"
          pending={save.isPending}
          denied={denied(calls.settings.saveStore)}
          disabled={Object.keys(typed).length === 0}
        >
          {t('Save terms')}
        </Button>
      </form>
    </Panel>
  )
}

function PaymentSwitchCard() {
  const queries = useQueryClient()
  const upi = useUpi()
  const save = useMutation({
    mutationFn: (paymentEnabled: boolean) => client.settings.saveUpi({ paymentEnabled }),
    onSuccess(saved) {
      queries.setQueryData(['settings', 'upi'], saved)
      toast(saved.paymentEnabled ? t('Payments are ON') : t('Payments are OFF'))
    },
  })
  if (upi.error && !upi.data) return <CardError error={upi.error} onRetry={upi.refetch} />
  const isOn = save.isPending ? save.variables : upi.data?.paymentEnabled
  return (
    <Panel
      title={t('Payment receiving')}
      actions={isOn !== undefined && <Chip tone={isOn ? 'ok' : 'warn'}>{isOn ? t('ON') : t('OFF')}</Chip>}
    >
      {isOn === undefined ? (
        <Loading>
          <Skeleton className="h-11" />
        </Loading>
      ) : (
        <Switch
          label={t('Receive payments')}
          hint={
            isOn
              ? t('Buyers can add money to their wallets.')
              : t('Buyers are told that the admin is offline and that money cannot be added.')
          }
          checked={isOn}
          disabled={save.isPending}
          denied={denied(calls.settings.saveUpi)}
          onChange={(next) => save.mutate(next)}
        />
      )}
      <div className="mt-2 empty:hidden">
        {save.error && <FormError>{failure(t('Failed to update payment status.'), save.error)}</FormError>}
      </div>
    </Panel>
  )
}

function RefreshCard() {
  const refresh = useMutation({ mutationFn: () => client.settings.refreshVersion({}) })
  return (
    <Panel
      title={t('Refresh all user sites')}
      description={t('Every page that a buyer has open loads anew, with nothing lost that was saved.')}
    >
      <Button
        variant="secondary"
        icon={<RefreshCw size={17} aria-hidden />}
        pending={refresh.isPending}
        denied={denied(calls.settings.refreshVersion)}
        onClick={() => refresh.mutate()}
      >
        {t('Force refresh')}
      </Button>
      <output className="mt-3 block text-sm text-ok empty:hidden">
        {refresh.isSuccess && t('All user sites will refresh within 1 minute.')}
      </output>
      <div className="mt-3 empty:hidden">
        {refresh.error && <FormError>{t('Failed to trigger refresh. Try again.')}</FormError>}
      </div>
    </Panel>
  )
}

function CardError({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  return (
    <Panel>
      <ErrorState error={error} onRetry={onRetry} className="py-6" />
    </Panel>
  )
}
