import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { TITLE_LENGTH_MAX } from '../../../../contract/limits.ts'
import type { OtherTexts } from '../../../../contract/owner-texts.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { fieldErrorsOf } from '../../../platform/admin/form-errors.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { useFace } from '../../../platform/calls/site.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { redrawSharePicture } from '../../../settings/admin/redraw-share-picture.ts'
import { failure, fieldFault, typedSince } from '../../../ui/admin/forms/settings-form.tsx'
import { FormFoot } from '../../../ui/admin/forms/form-foot.tsx'
import { OtherLanguages } from '../../../ui/admin/forms/other-languages.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'

type Site = ReturnType<typeof useFace>
type Typed = Partial<Pick<Site, 'websiteName' | 'websiteTitle'>> & OtherTexts<'websiteTitle'>

export function SiteForm() {
  const queries = useQueryClient()
  const site = useFace()
  const [typed, setTyped] = useState<Typed>({})
  const texts = { ...site, ...typed }
  const { websiteName, websiteTitle } = texts
  const save = useMutation({
    mutationFn: (next: typeof typed) => client.settings.saveSite({ websiteName, websiteTitle, ...next }),
    onSuccess(saved, sent) {
      queries.setQueryData(['settings', 'site'], saved)
      setTyped((now) => typedSince(now, sent))
      void queries.invalidateQueries({ queryKey: ['reports', 'overview'] })
      toast(t('Name and title saved. Open pages update within 1 minute.'))
      if (saved.websiteName !== site.websiteName) void redrawSharePicture(saved)
    },
  })
  const isChanged = Object.entries(typed).some(([name, value]) => value !== (site[name as keyof typeof site] ?? ''))
  const field = (name: 'websiteName' | 'websiteTitle') => ({
    value: { websiteName, websiteTitle }[name],
    maxLength: TITLE_LENGTH_MAX,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  })
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate(typed)
      }}
    >
      <Field label={t('Website name')} hint={t('Shows in the header.')} error={fieldFault(save.error, 'websiteName')}>
        <Input {...field('websiteName')} />
      </Field>
      <Field
        label={t('Website title')}
        hint={t('Shows in the browser tab.')}
        error={fieldFault(save.error, 'websiteTitle')}
      >
        <Input {...field('websiteTitle')} />
      </Field>
      <OtherLanguages
        fields={[{ name: 'websiteTitle', label: t('Website title'), most: TITLE_LENGTH_MAX }]}
        texts={texts}
        faults={fieldErrorsOf(save.error)}
        onChange={(part) => setTyped({ ...typed, ...part })}
      />
      <FormFoot
        error={failure(t('Failed to update website name/title.'), save.error)}
        pending={save.isPending}
        call={calls.settings.saveSite}
        isChanged={isChanged && websiteName.trim() !== '' && websiteTitle.trim() !== ''}
      >
        {t('Save name and title')}
      </FormFoot>
    </form>
  )
}
