import { useRef, useState, type ReactNode } from 'react'
import { ImageUp, Trash2 } from 'lucide-react'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { makePicture } from './make-picture.ts'

interface PictureFieldProps {
  kind: 'logo' | 'product'
  label: string
  hint: string
  /** The picture that is there, or what stands in its place. */
  shown: ReactNode
  isSet: boolean
  /** Takes the picture as a data URL, or nothing to remove it. Its error is shown. */
  onChange: (url: string | null) => unknown
  denied?: string | undefined
}

/** Lets a person choose a picture from a file, and remove it with one tap. */
export function PictureField({ kind, label, hint, shown, isSet, onChange, denied }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState<'choose' | 'remove'>()
  const [fault, setFault] = useState<unknown>()
  const change = async (what: 'choose' | 'remove', file?: File) => {
    if (pending) return
    setPending(what)
    setFault(undefined)
    try {
      await onChange(file ? await makePicture(file, kind) : null)
    } catch (error) {
      setFault(error)
    }
    setPending(undefined)
  }
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-medium text-fg-2">{label}</legend>
      <div className="flex flex-wrap items-center gap-3">
        <div
          className={
            'grid size-18 shrink-0 place-items-center overflow-hidden rounded-control border border-line-2 bg-sunken'
          }
        >
          {shown}
        </div>
        <div className="flex min-w-0 flex-auto flex-wrap gap-2 large-text:basis-full">
          <Button
            variant="secondary"
            icon={<ImageUp size={17} aria-hidden />}
            pending={pending === 'choose'}
            denied={denied}
            onClick={() => input.current?.click()}
          >
            {isSet ? t('Change') : t('Choose picture')}
          </Button>
          {isSet && (
            <Button
              variant="ghost"
              icon={<Trash2 size={17} aria-hidden />}
              pending={pending === 'remove'}
              denied={denied}
              onClick={() => void change('remove')}
            >
              {t('Remove')}
            </Button>
          )}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label={label}
        tabIndex={-1}
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file can be chosen again
          event.target.value = ''
          if (file) void change('choose', file)
        }}
      />
      <p className="text-xs text-fg-3">{hint}</p>
      <FormError>{fault !== undefined && errorMessage(fault)}</FormError>
    </fieldset>
  )
}
