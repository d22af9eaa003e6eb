import { ask } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { NOTICE_LENGTH_MAX } from '../../../../contract/limits.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import {
  CardError,
  failure,
  SettingsForm,
  useOutdatedTexts,
  useSettings,
} from '../../../ui/admin/forms/settings-form.tsx'
import { OtherLanguages } from '../../../ui/admin/forms/other-languages.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Textarea } from '../../../ui/fields/textarea.tsx'

const savedNotice = ask('settings', 'notice', {})

export const useNotice = () => usePanel(savedNotice)

export function NoticeForm() {
  const notice = useNotice()
  const outdated = useOutdatedTexts()
  const form = useSettings({
    saved: notice.data,
    queryKey: savedNotice.key,
    send: (typed: Partial<NonNullable<typeof notice.data>>) =>
      client.settings.saveNotice({ text: notice.data?.text ?? '', ...typed }),
    onSaved(saved) {
      toast(saved.text ? t('Notice saved. Buyers see it on their dashboard.') : t('Notice removed'))
    },
  })
  const { save, texts, faults, change, field } = form
  const { text = '' } = texts
  if (notice.error && !notice.data) return <CardError error={notice.error} onRetry={notice.refetch} />
  return (
    <SettingsForm
      form={form}
      error={failure(t('Failed to update notice.'), save.error)}
      call={calls.settings.saveNotice}
      label={t('Save notice')}
    >
      <Field
        label={t('Notice text')}
        hint={t('Every buyer sees it on the dashboard. Leave empty to hide it.')}
        aside={text.length > NOTICE_LENGTH_MAX / 2 && `${text.length} / ${NOTICE_LENGTH_MAX}`}
        error={faults['text']}
      >
        <Textarea maxLength={NOTICE_LENGTH_MAX} rows={4} {...field('text')} />
      </Field>
      <OtherLanguages
        fields={[{ name: 'notice', label: t('Notice text'), most: NOTICE_LENGTH_MAX, rows: 4 }]}
        texts={texts}
        outdated={outdated}
        faults={faults}
        disabled={!notice.data}
        onChange={change}
      />
    </SettingsForm>
  )
}
