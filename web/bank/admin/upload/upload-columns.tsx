import { useState } from 'react'
import type { StatementColumns } from '../../../../contract/bank-shapes.ts'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Select } from '../../../ui/admin/forms/select.tsx'

type Name = keyof StatementColumns

const NAMES = (): Record<Name, string> => ({
  date: t('Date'),
  narration: t('Description'),
  reference: t('Reference'),
  amount: t('Amount, signed or with Cr and Dr'),
  credit: t('Money in'),
  debit: t('Money out'),
  balance: t('Balance'),
})

interface UploadColumnsProps {
  rows: readonly (readonly string[])[]
  pending: boolean
  onChosen: (columns: StatementColumns) => void
}

/** Asks which column holds what, for a layout that the store does not know. */
export function UploadColumns({ rows, pending, onChosen }: UploadColumnsProps) {
  const [chosen, setChosen] = useState<Partial<Record<Name, number>>>({})
  const width = Math.max(...rows.map((row) => row.length))
  const { date, narration, amount, credit } = chosen
  const isReady = date !== undefined && narration !== undefined && (amount ?? credit) !== undefined
  return (
    <div className="grid gap-4">
      <p className="text-sm text-fg-2">
        {t(
          'We don’t know this layout yet. Choose what each column holds. We’ll remember it. Columns are ' +
            'counted from 1.',
        )}
      </p>
      <div className="max-h-60 overflow-auto rounded-control border border-line">
        <table className="text-xs">
          <tbody>
            {rows.slice(0, 30).map((row, line) => (
              <tr key={line} className="border-b border-line">
                {Array.from({ length: width }, (_, column) => (
                  <td key={column} className="max-w-60 truncate px-2 py-1">
                    {row[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {Object.entries(NAMES()).map(([name, label]) => (
          <Field key={name} label={label} optional={name !== 'date' && name !== 'narration'}>
            <Select
              value={chosen[name as Name] ?? ''}
              onChange={({ target }) =>
                setChosen({ ...chosen, [name]: target.value === '' ? undefined : Number(target.value) })
              }
            >
              <option value="">–</option>
              {Array.from({ length: width }, (_, column) => (
                <option key={column} value={column}>
                  {t('Column {number}', { number: column + 1 })}
                </option>
              ))}
            </Select>
          </Field>
        ))}
      </div>
      <Button
        className="justify-self-start"
        disabled={!isReady}
        pending={pending}
        onClick={() => isReady && onChosen({ ...chosen, date, narration })}
      >
        {t('Read with these columns')}
      </Button>
    </div>
  )
}
