import { TITLE_LENGTH_MAX } from '../../../../contract/limits.ts'
import type { OtherTexts } from '../../../../contract/owner-texts.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { useFace } from '../../../platform/calls/site.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { redrawSharePicture } from '../../../settings/admin/redraw-share-picture.ts'
import { failure, SettingsForm, useOutdatedTexts, useSettings } from '../../../ui/admin/forms/settings-form.tsx'
import { OtherLanguages } from '../../../ui/admin/forms/other-languages.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'

type Site = ReturnType<typeof useFace>
type Typed = Partial<Pick<Site, 'websiteName' | 'websiteTitle'>> & OtherTexts<'websiteTitle'>

export function SiteForm() {
  const site = useFace()
  const { websiteName, websiteTitle } = site
  const form = useSettings({
    saved: site,
    queryKey: ['settings', 'site'],
    send: (typed: Typed) => client.settings.saveSite({ websiteName, websiteTitle, ...typed }),
    onSaved(saved) {
      toast(t('Name and title saved. Open pages update within 1 minute.'))
      if (saved.websiteName !== websiteName) void redrawSharePicture(saved)
    },
  })
  const outdated = useOutdatedTexts()
  const { save, texts, faults, change, field } = form
  return (
    <SettingsForm
      form={{ ...form, isChanged: form.isChanged && !isBlank(texts.websiteName) && !isBlank(texts.websiteTitle) }}
      error={failure(t('Failed to update website name/title.'), save.error)}
      call={calls.settings.saveSite}
      label={t('Save name and title')}
    >
      <Field label={t('Website name')} hint={t('Shown in the header')} error={faults['websiteName']}>
        <Input maxLength={TITLE_LENGTH_MAX} {...field('websiteName')} />
      </Field>
      <Field label={t('Website title')} hint={t('Shown in the browser tab')} error={faults['websiteTitle']}>
        <Input maxLength={TITLE_LENGTH_MAX} {...field('websiteTitle')} />
      </Field>
      <OtherLanguages
        fields={[{ name: 'websiteTitle', label: t('Website title'), most: TITLE_LENGTH_MAX }]}
        texts={texts}
        outdated={outdated}
        faults={faults}
        onChange={change}
      />
    </SettingsForm>
  )
}

const isBlank = (text = ''): boolean => text.trim() === ''
