/** Parts that the forms of settings share. */
import { useState, type ReactNode } from 'react'
import { useMutation, type QueryKey } from '@tanstack/react-query'
import type { Api } from '../../../../contract/api.ts'
import { ask } from '../../../../contract/panel-pages.ts'
import type { Endpoint } from '../../../../contract/endpoint.ts'
import { fieldErrorsOf } from '../../../platform/admin/form-errors.ts'
import { denied } from '../../../platform/admin/roles.ts'
import { ApiError, errorMessage } from '../../../platform/calls/api-error.ts'
import { queryClient } from '../../../platform/calls/queries.ts'
import { renew } from '../../../platform/calls/use-call.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { Button } from '../../buttons/button.tsx'
import { cx } from '../../cx.ts'
import { FormError } from '../../fields/form-error.tsx'
import { ErrorState } from '../../page/error-state.tsx'
import { Panel } from '../../page/panel.tsx'

/** The ids of the sections to which a link can lead. */
export const SUPPORT_SECTION = 'support'
export const BACKUP_SECTION = 'backup'

/** Returns the server's refusal in its own words. Errors of single fields are shown at those fields. */
export function failure(words: string, error: unknown): string | undefined {
  if (!error) return undefined
  const isAboutField = error instanceof ApiError && Object.keys(error.fields).length > 0
  return isAboutField ? words : `${words} ${errorMessage(error)}`
}

export const useStoreSettings = () => usePanel(ask('settings', 'store', {}))

/** Texts of the settings in other languages, whose English text has changed since. */
export const useOutdatedTexts = () => useStoreSettings().data?.outdated

interface Settings<Typed, Saved> {
  /** Undefined while it loads. */
  saved: Saved | undefined
  /** The query that holds it. */
  queryKey: QueryKey
  send: (typed: Typed) => Promise<Saved>
  /** Whose call it is. */
  feature?: keyof Api
  onSaved: (saved: Saved) => unknown
}

/** What is saved, the fields that were changed since, and saving these. */
export function useSettings<Typed extends object, Saved extends object>(settings: Settings<Typed, Saved>) {
  const { saved, queryKey, send, feature = 'settings', onSaved } = settings
  const [typed, setTyped] = useState<Partial<Typed>>({})
  const save = useMutation({
    mutationFn: (sent: Partial<Typed>) => send(sent as Typed),
    async onSuccess(answer, sent) {
      queryClient.setQueryData(queryKey, answer)
      void renew(feature)
      setTyped((now) => typedSince(now, sent))
      await onSaved(answer)
    },
  })
  const texts = { ...saved, ...typed } as Partial<Saved> & Partial<Typed>
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part })
    if (save.isError) save.reset()
  }
  return {
    save,
    texts,
    change,
    faults: fieldErrorsOf(save.error),
    isChanged: Object.entries(typed).some(([name, value]) => textOf(value) !== textOf(saved?.[name as keyof Saved])),
    submit: () => save.mutate(typed),
    /** For a field of text. */
    field: (name: keyof Typed & string) => ({
      value: String(texts[name] ?? ''),
      disabled: !saved,
      autoComplete: 'off',
      onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value } as Partial<Typed>),
    }),
  }
}

function textOf(value: unknown): string {
  const known = value ?? ''
  return typeof known === 'string' ? known.trim() : JSON.stringify(known)
}

/** Returns the fields that were edited while a save was running. They were not sent, so they are still unsaved. */
function typedSince<Form extends object>(now: Form, sent: Form): Form {
  const kept = Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Form])
  return Object.fromEntries(kept) as Form
}

interface SettingsFormProps {
  form: { save: { isPending: boolean }; isChanged: boolean; submit: () => void }
  /** Shown over the button. */
  error: string | undefined
  /** The call that saves the form. Roles that may not make it see why. */
  call: Pick<Endpoint, 'method' | 'roles'>
  /** The button's words. */
  label: string
  /** Another way on, next to the button. */
  beside?: ReactNode
  onChange?: () => void
  className?: string
  children: ReactNode
}

/** Fields, and under them the error and the save button. */
export function SettingsForm(props: SettingsFormProps) {
  const { form, error, call, label, beside, onChange, className = 'gap-3', children } = props
  const { isPending } = form.save
  return (
    <form
      className={cx('grid', className)}
      noValidate
      onChange={onChange}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) form.submit()
      }}
    >
      {children}
      <div className="col-span-full grid gap-3 has-[[role=alert]:empty]:gap-0">
        <FormError>{error}</FormError>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={isPending} denied={denied(call)} disabled={!form.isChanged}>
            {label}
          </Button>
          {beside}
        </div>
      </div>
    </form>
  )
}

export function CardError({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  return (
    <Panel>
      <ErrorState error={error} onRetry={onRetry} className="py-6" />
    </Panel>
  )
}
