import { useState } from 'react'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { columnOf, isHeading, widthOf } from '../key-import.ts'

const ROWS_SHOWN = 3
/** Enough to tell a heading. A file may have a million. */
const ROWS_LOOKED_AT = 100

interface ColumnChoiceProps {
  /** The file's name. */
  name: string
  rows: string[][]
  onChoose: (keys: string[]) => void
}

/** Asks which column of a file holds its keys, where no heading says so: order numbers must not be sold. */
export function ColumnChoice({ name, rows, onChoose }: ColumnChoiceProps) {
  const looked = rows.slice(0, ROWS_LOOKED_AT)
  const columns = Array.from({ length: widthOf(rows) }, (_, at) => columnOf(looked, at))
  const [hasHeadings, setHasHeadings] = useState(columns.some(isHeading))
  return (
    <fieldset className="grid gap-2 rounded-control border border-line-2 p-3">
      <legend role="alert" className="px-1 text-sm font-medium">
        {t('Which column of {name} holds the keys?', { name })}
      </legend>
      {columns.map((cells, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- columns have no names, and keep their order
        <Button key={at} variant="secondary" onClick={() => onChoose(columnOf(rows, at).slice(hasHeadings ? 1 : 0))}>
          <span translate="no" className="min-w-0 truncate font-mono text-sm">
            {[at + 1, cells.slice(0, ROWS_SHOWN).join(' · ')].join(': ')}
          </span>
        </Button>
      ))}
      <Checkbox
        label={t('The first row is a heading')}
        checked={hasHeadings}
        onChange={(event) => setHasHeadings(event.target.checked)}
      />
    </fieldset>
  )
}
