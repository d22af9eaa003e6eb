import { useId, useState } from 'react'
import { Check } from 'lucide-react'
import type { OwnedKey } from '../../contract/keys.ts'
import { CLAIM_NOTE_LENGTH_MAX } from '../../contract/limits.ts'
import { ApiError, errorMessage } from '../platform/calls/api-error.ts'
import { own, t, variantText } from '../platform/i18n.ts'
import { byDashes } from '../ui/buttons/copyable.tsx'
import { cx } from '../ui/cx.ts'
import { Field } from '../ui/fields/field.tsx'
import { Textarea } from '../ui/fields/textarea.tsx'
import { EditDialog } from '../ui/overlays/edit-dialog.tsx'
import { REASONS, reasonText } from './claim-words.ts'
import { useReport, type Report } from './own-claims.ts'

interface ReportDialogProps {
  /** Keys of one purchase that can be reported. */
  keys: readonly Pick<OwnedKey, '_id' | 'key' | 'productId' | 'duration'>[]
  onClose: () => void
}

/** Asks what is wrong with a key. Two taps are enough. */
export function ReportDialog({ keys, onClose }: ReportDialogProps) {
  const id = useId()
  const [first] = keys
  const [keyId, setKeyId] = useState(first?._id ?? '')
  const [reason, setReason] = useState<Report['reason']>()
  const [note, setNote] = useState('')
  const [isTelling, setTelling] = useState(false)
  const report = useReport()
  const refused = report.error instanceof ApiError ? report.error.fields['note'] : undefined
  const fault = isTelling && !reason ? t('Choose what happened') : undefined
  return (
    <EditDialog
      open
      onClose={onClose}
      title={t('Problem with this key?')}
      description={variantText(first ? own(first.productId, 'name') : '', first?.duration ?? '')}
      submitLabel={t('Send')}
      dirty={note !== ''}
      error={fault ?? (report.error && refused === undefined && errorMessage(report.error))}
      pending={report.isPending}
      onSubmit={() => {
        setTelling(true)
        if (reason) report.mutate({ keyId, reason, note }, { onSuccess: onClose })
      }}
    >
      {keys.length > 1 && (
        <Tiles
          legend={t('Which key?')}
          name={`${id}-key`}
          value={keyId}
          onChoose={setKeyId}
          options={keys.map((owned) => ({ value: owned._id, label: owned.key }))}
          mono
        />
      )}
      <Tiles
        legend={t('What happened?')}
        name={`${id}-reason`}
        value={reason}
        onChoose={(next) => setReason(REASONS.find((each) => each === next))}
        options={REASONS.map((value) => ({ value, label: reasonText(value) }))}
      />
      <Field label={t('Note')} optional hint={t('Copy the exact error text.')} error={refused}>
        <Textarea
          value={note}
          rows={2}
          maxLength={CLAIM_NOTE_LENGTH_MAX}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
      <p className="text-sm text-fg-2">{t('We answer within 48 hours. The key stays in My Key.')}</p>
    </EditDialog>
  )
}

interface TilesProps {
  legend: string
  name: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
  mono?: boolean
}

function Tiles({ legend, name, value, options, onChoose, mono }: TilesProps) {
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="contents text-sm font-medium text-fg-2">{legend}</legend>
      <div className={cx('grid gap-2', mono ? 'max-h-44 scroll-y p-1' : 'sm:grid-cols-2 large-text:grid-cols-1')}>
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              'relative flex min-h-11 min-w-0 items-center rounded-control border px-3 py-2 pr-8 text-sm ' +
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
              option.value === value ? 'border-brand bg-brand-bg' : 'border-line-2 bg-sunken hover:border-fg-3',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span translate={mono ? 'no' : undefined} className={cx('min-w-0 wrap-anywhere', mono && 'font-mono')}>
              {mono ? byDashes(option.label) : option.label}
            </span>
            {option.value === value && <Check size={17} aria-hidden className="absolute right-2.5 text-brand" />}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
