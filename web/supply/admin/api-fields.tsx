import type { ComponentProps } from 'react'
import type { SupplyTemplate } from '../../../contract/supply.ts'
import { t } from '../../platform/i18n.ts'
import { Select } from '../../ui/admin/forms/select.tsx'
import { TextField } from '../../ui/admin/forms/use-form.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Lines } from './lines.tsx'
import { TryAnswer } from './try-answer.tsx'

const NOTHING = { headers: '', body: '', keyAt: '', costAt: '', noneIf: '', okIf: '' }
/** What the fields hold before a supplier is described. */
export const NO_TEMPLATE: SupplyTemplate = { method: 'POST', url: 'https://', ...NOTHING, repeats: false }

type Typed = Pick<ComponentProps<typeof TextField>, 'error' | 'onText'> & { name: string; value: string }
interface ApiFieldsProps {
  draft: SupplyTemplate
  change: (part: Partial<SupplyTemplate>) => void
  of: (name: keyof typeof NOTHING | 'url') => Typed
}

/** The one request of a supplier with an API of its own, and where its answer has the keys. */
export function ApiFields({ draft, change, of }: ApiFieldsProps) {
  const like = (example: string) => t('Like {example}', { example })
  const answer = { answer: '{"data": {"key": "AB-1"}}', place: '/data/key' }
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-[8rem_1fr]">
        <Field label={t('Request')}>
          <Select value={draft.method} onChange={(event) => change({ method: event.target.value as 'GET' | 'POST' })}>
            <option translate="no">GET</option>
            <option translate="no">POST</option>
          </Select>
        </Field>
        <TextField {...of('url')} label={t('Address')} inputMode="url" spellCheck={false} />
      </div>
      <p className="-mt-2 text-xs text-fg-3">
        {t(
          '{sku} stands for their name of the product, {order} for our number, and {quantity} for how many keys. ' +
            'Without {quantity} we buy one key at a time.',
        )}
      </p>
      <Lines {...of('headers')} label={t('Headers')} hint={like('X-Api-Key: {secret}')} />
      {draft.method === 'POST' && (
        <Lines {...of('body')} label={t('Body')} hint={like('{"item": "{sku}", "reference": "{order}"}')} />
      )}
      <TextField
        {...of('keyAt')}
        label={t('Where is the key?')}
        optional
        hint={t('In {answer} it is at {place}. Leave it empty if each line of the answer is a key.', answer)}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          {...of('costAt')}
          label={t('Where is the price of a key?')}
          optional
          hint={t(
            'In rupees, for one key. Leave it empty for a total or another currency: a key then counts with the most ' +
              'that you pay.',
          )}
        />
        <TextField
          {...of('noneIf')}
          label={t('Out of stock, if the answer has')}
          optional
          hint={like('OUT_OF_STOCK')}
        />
      </div>
      <TextField
        {...of('okIf')}
        label={t('Keys come only if the answer has')}
        optional
        hint={t('Else an error may be taken for a key.')}
      />
      <Checkbox
        label={t('The same order number gets the same keys again')}
        hint={t(
          'Then we ask again when an answer is lost. Otherwise we send nothing twice, and you settle it by hand.',
        )}
        checked={draft.repeats}
        onChange={(event) => change({ repeats: event.target.checked })}
      />
      <TryAnswer template={draft} />
    </>
  )
}
