import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Download, Printer } from 'lucide-react'
import type { CodeBatch } from '../../../contract/codes.ts'
import { toCsv } from '../../platform/files/csv.ts'
import { saveFile } from '../../platform/files/save-file.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { CodesShownOnce } from '../../ui/admin/codes-shown-once.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { CodeSheet, linkOf } from './code-sheet.tsx'

interface MadeCodesProps extends DialogProps {
  batch: CodeBatch
  codes: readonly string[]
}

/** Shows new codes: to print, to save, to copy. The store keeps none of them. */
export function MadeCodes({ batch, codes, open, onClose }: MadeCodesProps) {
  const isPrinting = usePrinting(open)
  return (
    <CodesShownOnce
      open={open}
      onClose={onClose}
      title={t('{count, plural, one {# code} other {{codes} codes}} of {amount}', {
        count: codes.length,
        codes: formatCount(codes.length),
        amount: formatRupees(batch.amount),
      })}
      description={t('Save them now. We show them once.')}
      label={t('Redeem codes')}
      codes={codes}
      lost={t('You won’t see them again. Only new codes can take their place.')}
      ways={
        <>
          <Button size="sm" icon={<Printer size={16} aria-hidden />} onClick={() => globalThis.print()}>
            {t('Print')}
          </Button>
          <Button
            variant="secondary"
            size="sm"
            icon={<Download size={16} aria-hidden />}
            onClick={() => saveFile(`codes-${batch._id.slice(-8)}.csv`, 'text/csv', sheetOf(batch, codes))}
          >
            {t('CSV')}
          </Button>
        </>
      }
    >
      {open && isPrinting && <CodeSheet batch={batch} codes={codes} />}
    </CodesShownOnce>
  )
}

function sheetOf({ name, amount, codeUntil }: CodeBatch, codes: readonly string[]): string {
  const heading = [t('Number'), t('Code'), t('Amount (₹)'), t('Valid till'), t('Link'), t('Name')]
  return toCsv([heading, ...codes.map((code, index) => [index + 1, code, amount, codeUntil, linkOf(code), name])])
}

/** @returns true from the first print on, when the sheet is drawn */
function usePrinting(isOpen: boolean): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    if (!isOpen) return undefined
    const draw = () => flushSync(() => setPrinting(true))
    addEventListener('beforeprint', draw)
    return () => removeEventListener('beforeprint', draw)
  }, [isOpen])
  return isPrinting
}
