import { useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { NOTICE_LENGTH_MAX } from '../../../../contract/limits.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { fieldErrorsOf } from '../../../platform/admin/form-errors.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { CardError, failure, fieldFault, typedSince } from '../../../ui/admin/forms/settings-form.tsx'
import { FormFoot } from '../../../ui/admin/forms/form-foot.tsx'
import { OtherLanguages } from '../../../ui/admin/forms/other-languages.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Textarea } from '../../../ui/fields/textarea.tsx'

export function useNotice() {
  return useQuery({
    queryKey: ['settings', 'notice'],
    queryFn: ({ signal }) => client.settings.notice({}, { signal }),
  })
}

export function NoticeForm() {
  const queries = useQueryClient()
  const notice = useNotice()
  const [typed, setTyped] = useState<Partial<NonNullable<typeof notice.data>>>({})
  const texts = { ...notice.data, ...typed }
  const { text = '' } = texts
  const save = useMutation({
    mutationFn: (next: typeof typed) => client.settings.saveNotice({ text, ...next }),
    onSuccess(saved, sent) {
      queries.setQueryData(['settings', 'notice'], saved)
      setTyped((now) => typedSince(now, sent))
      toast(saved.text ? t('Notice saved. Buyers see it on their dashboard.') : t('Notice removed'))
    },
  })
  if (notice.error && !notice.data) return <CardError error={notice.error} onRetry={notice.refetch} />
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate(typed)
      }}
    >
      <Field
        label={t('Notice text')}
        hint={t('Shown on every buyer’s dashboard. Leave empty to hide it.')}
        aside={text.length > NOTICE_LENGTH_MAX / 2 && `${text.length} / ${NOTICE_LENGTH_MAX}`}
        error={fieldFault(save.error, 'text')}
      >
        <Textarea
          value={text}
          maxLength={NOTICE_LENGTH_MAX}
          rows={4}
          disabled={!notice.data}
          onChange={(event) => setTyped({ ...typed, text: event.target.value })}
        />
      </Field>
      <OtherLanguages
        fields={[{ name: 'notice', label: t('Notice text'), most: NOTICE_LENGTH_MAX, rows: 4 }]}
        texts={texts}
        faults={fieldErrorsOf(save.error)}
        disabled={!notice.data}
        onChange={(part) => setTyped({ ...typed, ...part })}
      />
      <FormFoot
        error={failure(t('Failed to update notice.'), save.error)}
        pending={save.isPending}
        call={calls.settings.saveNotice}
        isChanged={Object.keys(typed).length > 0}
      >
        {t('Save notice')}
      </FormFoot>
    </form>
  )
}
