import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { TITLE_LENGTH_MAX } from '../../../../contract/limits.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { useSite } from '../../../platform/calls/site.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { redrawSharePicture } from '../../../settings/admin/redraw-share-picture.ts'
import { failure, fieldFault, typedSince } from '../../../ui/admin/forms/settings-form.tsx'
import { FormFoot } from '../../../ui/admin/forms/form-foot.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'

export function SiteForm() {
  const queries = useQueryClient()
  const site = useSite()
  const [typed, setTyped] = useState<Partial<typeof site>>({})
  const { websiteName, websiteTitle } = { ...site, ...typed }
  const save = useMutation({
    mutationFn: (next: typeof site) => client.settings.saveSite(next),
    onSuccess(saved, sent) {
      queries.setQueryData(['settings', 'site'], saved)
      setTyped((now) => typedSince(now, sent))
      void queries.invalidateQueries({ queryKey: ['reports', 'overview'] })
      toast(t('Name and title saved. Open pages update within 1 minute.'))
      if (saved.websiteName !== site.websiteName) void redrawSharePicture(saved)
    },
  })
  const isChanged = websiteName !== site.websiteName || websiteTitle !== site.websiteTitle
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
        if (!save.isPending) save.mutate({ websiteName, websiteTitle })
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
