import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Copy, Download, Printer } from 'lucide-react'
import type { CodeBatch } from '../../../contract/codes.ts'
import { copyToClipboard } from '../../platform/files/copy-to-clipboard.ts'
import { toCsv } from '../../platform/files/csv.ts'
import { saveFile } from '../../platform/files/save-file.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { CodeSheet, linkOf } from './code-sheet.tsx'

interface MadeCodesProps extends DialogProps {
  batch: CodeBatch
  codes: readonly string[]
}

/** Shows new codes this one time: to print, to save, to copy. The store keeps none of them. */
export function MadeCodes({ batch, codes, open, onClose }: MadeCodesProps) {
  const isPrinting = usePrinting(open)
  const copy = async () => {
    if (await copyToClipboard(codes.join('\n'))) toast(t('Codes copied'))
    else toast(t('Your browser blocked copying. Select the text and copy it yourself.'), { tone: 'bad' })
  }
  const leave = async () => {
    const isSure = await confirm({
      title: t('Leave without saving the codes?'),
      body: t('You won’t see them again. Only new codes can take their place.'),
      confirmLabel: t('Leave'),
      cancelLabel: t('Go back'),
      danger: true,
    })
    if (isSure) onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={() => void leave()}
      title={t('{count, plural, one {# code} other {{codes} codes}} of {amount}', {
        count: codes.length,
        codes: formatCount(codes.length),
        amount: formatRupees(batch.amount),
      })}
      description={t('Save them now. We show them once.')}
      sticky
      footer={<Button onClick={onClose}>{t('I’ve saved them')}</Button>}
    >
      <div className="grid gap-4 pb-1">
        <div className="flex flex-wrap gap-2">
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
          <Button variant="secondary" size="sm" icon={<Copy size={16} aria-hidden />} onClick={() => void copy()}>
            {t('Copy all')}
          </Button>
        </div>
        <ol
          aria-label={t('Redeem codes')}
          className="grid gap-x-6 gap-y-1.5 rounded-card border border-line bg-sunken p-4 sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li translate="no" key={code} className="font-mono text-sm select-all">
              {code}
            </li>
          ))}
        </ol>
      </div>
      {open && isPrinting && <CodeSheet batch={batch} codes={codes} />}
    </Dialog>
  )
}

function sheetOf({ name, amount, codeUntil }: CodeBatch, codes: readonly string[]): string {
  const heading = [t('Number'), t('Code'), t('Amount (₹)'), t('Valid till'), t('Link'), t('Name')]
  return toCsv([heading, ...codes.map((code, index) => [index + 1, code, amount, codeUntil, linkOf(code), name])])
}

/** Asks before the page is left with the codes. @returns true from the first print on, when the sheet is drawn */
function usePrinting(isOpen: boolean): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    if (!isOpen) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const draw = () => flushSync(() => setPrinting(true))
    addEventListener('beforeunload', ask)
    addEventListener('beforeprint', draw)
    return () => {
      removeEventListener('beforeunload', ask)
      removeEventListener('beforeprint', draw)
    }
  }, [isOpen])
  return isPrinting
}
