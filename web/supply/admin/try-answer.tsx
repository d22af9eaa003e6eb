import { useState } from 'react'
import type { SupplyTemplate } from '../../../contract/supply.ts'
import { fieldErrorsOf } from '../../platform/admin/form-errors.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Lines } from './lines.tsx'

const useTry = () => useCall('supply.try')

function meaningOf({ means, keys: count, ends = '', cost }: NonNullable<ReturnType<typeof useTry>['data']>): string {
  if (means !== 'came') return means === 'refused' ? t('We read: out of stock.') : t('We find no key in it.')
  const read = t('We read {count, plural, one {# key} other {# keys}}, ends …{ends}', { count, ends })
  return cost === undefined ? `${read}.` : t('{read}, cost {cost}.', { read, cost: formatRupees(cost) })
}

/** Shows what the store would send and read, and sends nothing. */
export function TryAnswer({ template }: { template: SupplyTemplate }) {
  const [answer, setAnswer] = useState('')
  const { mutate, isPending, data, error } = useTry()
  return (
    <div className="grid gap-2">
      <Lines
        label={t('Paste an answer of theirs')}
        hint={t('To try it. Nothing is sent or kept.')}
        value={answer}
        onText={setAnswer}
      />
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        pending={isPending}
        onClick={() => mutate({ ...template, answer })}
      >
        {t('Try')}
      </Button>
      <div aria-live="polite" className="grid gap-2 text-sm text-fg-2">
        {data && answer !== '' && <p>{meaningOf(data)}</p>}
        {data && (
          <pre translate="no" className="rounded-control bg-sunken p-3 text-xs wrap-anywhere whitespace-pre-wrap">
            {data.request}
          </pre>
        )}
        {error && <FormError>{Object.values(fieldErrorsOf(error))[0] ?? errorMessage(error)}</FormError>}
      </div>
    </div>
  )
}
