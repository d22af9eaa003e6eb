import '../../styles/code-sheet.css'
import { useMemo } from 'react'
import { createPortal } from 'react-dom'
import type { CodeBatch } from '../../../contract/codes.ts'
import { middayOf } from '../../../contract/india.ts'
import { useSite } from '../../platform/calls/site.ts'
import { paperDate } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { qrCode } from '../../ui/pictures/qr-code.ts'
import { QrImage } from '../../ui/pictures/qr-image.tsx'

/** Cards on a sheet of A4. */
const CARDS = 24

/** A page that fills the code in. Behind the #, because no server and no log gets to see that. */
export const linkOf = (code: string): string => `${location.origin}/add-balance#code=${code}`

interface CodeSheetProps {
  batch: CodeBatch
  codes: readonly string[]
}

/** The cards to cut out. On paper only, beside the page, because a dialog is cut off after the first sheet. */
export function CodeSheet({ batch, codes }: CodeSheetProps) {
  const sheets = Array.from({ length: Math.ceil(codes.length / CARDS) }, (_, n) =>
    codes.slice(n * CARDS, (n + 1) * CARDS),
  )
  return createPortal(
    <div className="code-sheets">
      {sheets.map((some, sheet) => (
        <div key={some[0]} className="code-sheet">
          {some.map((code, n) => (
            <Card key={code} code={code} number={sheet * CARDS + n + 1} batch={batch} />
          ))}
        </div>
      ))}
    </div>,
    document.body,
  )
}

function Card({ code, number, batch }: { code: string; number: number; batch: CodeBatch }) {
  const { websiteName } = useSite()
  const qr = useMemo(() => qrCode(linkOf(code), 'M'), [code])
  return (
    <div className="code-card">
      <div className="code-card-text">
        <p className="code-card-store">{websiteName}</p>
        <p className="code-card-amount">{formatRupees(batch.amount)}</p>
        <p className="code-card-until">{t('Valid till {date}', { date: paperDate(middayOf(batch.codeUntil)) })}</p>
      </div>
      <QrImage qr={qr} label={t('QR code')} sizePx={80} className="code-card-qr" />
      <p className="code-card-code">
        <span translate="no">{code}</span>
        <span>{number}</span>
      </p>
    </div>
  )
}
