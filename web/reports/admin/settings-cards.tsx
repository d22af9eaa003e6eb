import { useState } from 'react'
import { RefreshCw } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { NOTICE_LENGTH_MAX, TITLE_LENGTH_MAX } from '../../../contract/limits.ts'
import { client } from '../../platform/client.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useSite } from '../../platform/site.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { Textarea } from '../../ui/admin/textarea.tsx'
import { CardError, failure, fieldFault, typedSince } from '../../settings/admin/settings-form.tsx'
import { PaymentSwitchCard, UpiCard } from './payment-settings-cards.tsx'

/** Notice, name and title, where buyers pay and whether they can, and the forced refresh. */
export function SettingsCards() {
  return (
    <div className="grid items-start gap-4 sm:gap-6 wide:grid-cols-2">
      <NoticeCard />
      <SiteCard />
      <UpiCard />
      <PaymentSwitchCard />
      <RefreshCard />
    </div>
  )
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
    onSuccess(saved, sent) {
      queries.setQueryData(['settings', 'notice'], saved)
      setTyped((now) => (now === sent ? undefined : now))
      toast(saved.text ? t('Notice saved. Buyers see it on their dashboard.') : t('Notice removed'))
    },
  })
  if (notice.error && !notice.data) return <CardError error={notice.error} onRetry={notice.refetch} />
  return (
    <Panel title={t('Notice')} description={t('Shown on every buyer’s dashboard. Leave empty to hide it.')}>
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
    mutationFn: (next: typeof site) => client.settings.saveSite(next),
    onSuccess(saved, sent) {
      queries.setQueryData(['settings', 'site'], saved)
      setTyped((now) => typedSince(now, sent))
      toast(t('Name and title saved. Open pages update within 1 minute.'))
    },
  })
  const isChanged = websiteName !== site.websiteName || websiteTitle !== site.websiteTitle
  return (
    <Panel
      title={t('Website name and title')}
      description={t('The name shows in the header, the title in the browser tab.')}
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate({ websiteName, websiteTitle })
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

function RefreshCard() {
  const refresh = useMutation({ mutationFn: () => client.settings.refreshVersion({}) })
  return (
    <Panel
      title={t('Refresh all user sites')}
      description={t('Reloads every page buyers have open. Saved data isn’t affected.')}
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
