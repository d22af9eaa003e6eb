import { Landmark, Smartphone, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { bankRules } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { HOUR_MS } from '../../../../contract/time.ts'
import { useNow } from '../../../platform/clock.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { formatRupees } from '../../../platform/money.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { Button, buttonClass } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { useBankAccounts, useDevices, useUnclaimedCount } from '../bank-queries.ts'
import { useSharedStatement } from '../upload/shared-statement.ts'
import { isSilent } from '../silent-phones.ts'

const UploadDialog = lazyPart(() => import('../upload/upload-dialog.tsx').then((file) => file.UploadDialog))

/** Over the queue: how payments are matched, and what stops it. */
export function BankStrip() {
  const accounts = useBankAccounts()
  const { data } = usePanel(bankRules)
  const rules = data?.mode === 'propose' ? undefined : data
  const isDragged = useDroppedFile((file) => openDialog(UploadDialog, { file }))
  useSharedStatement((shared) => openDialog(UploadDialog, shared))
  if (!accounts.data) return null
  return (
    <>
      {accounts.data.length === 0 ? (
        <Link
          to="/admin/bank"
          className="inline-flex min-h-11 items-center gap-2 text-sm text-brand hover:underline max-wide:hidden"
        >
          <Landmark size={16} aria-hidden />
          {t('Add your bank account to match payments automatically')}
        </Link>
      ) : (
        rules && (
          <p className="text-sm text-fg-2 max-wide:hidden">
            {t('Automatic approval: {unproven} of {most} not in a statement yet', {
              unproven: formatRupees(rules.unproven),
              most: formatRupees(rules.unprovenMax),
            })}
          </p>
        )
      )}
      <SilentPhones />
      {isDragged && (
        <p className="rounded-panel border-2 border-dashed border-brand-line bg-brand-bg p-4 text-center text-brand">
          {t('Drop the statement here')}
        </p>
      )}
    </>
  )
}

/** On a phone, under the heading of the queue, so that the first request is near the top: what else needs a look. */
export function BankSummary() {
  const accounts = useBankAccounts()
  const unclaimed = useUnclaimedCount().data
  const silent = useSilentPhones()
  if (!accounts.data?.length || (!unclaimed && silent === '')) return null
  return (
    <p className="flex items-center gap-2 large-text:flex-wrap">
      {silent && (
        <SummaryLink to="/admin/settings/bank" className="text-warn">
          {t('No messages from {names}', { names: silent })}
        </SummaryLink>
      )}
      {Boolean(unclaimed) && !denied(calls.bank.credits) && (
        <SummaryLink to="/admin/bank" className="shrink-0">
          {t('Without a request ({count})', { count: unclaimed ?? 0 })}
        </SummaryLink>
      )}
    </p>
  )
}

/** Its touch area is 44 px high. */
function SummaryLink({
  className,
  children,
  ...to
}: {
  to: '/admin/bank' | '/admin/settings/bank'
  className: string
  children: string
}) {
  return (
    <Link
      {...to}
      className={cx('relative min-w-0 after:absolute after:inset-x-0 after:-inset-y-3.5 hover:underline', className)}
    >
      <span className="block truncate">{children}</span>
    </Link>
  )
}

/** Beside the heading of the queue: an upload of the statement, and the way to unclaimed money. */
export function BankActions() {
  const accounts = useBankAccounts()
  const unclaimed = useUnclaimedCount().data
  if (!accounts.data?.length) return null
  return (
    <>
      <Unclaimed count={unclaimed} />
      <Button
        size="sm"
        variant="secondary"
        icon={<Upload size={16} className="max-wide:hidden" aria-hidden />}
        aria-label={t('Upload statement')}
        denied={denied(calls.bank.import)}
        onClick={() => openDialog(UploadDialog, {})}
      >
        <span className="max-wide:hidden">{t('Upload statement')}</span>
        <span className="wide:hidden">{t('Upload')}</span>
      </Button>
    </>
  )
}

function Unclaimed({ count }: { count: number | undefined }) {
  if (denied(calls.bank.credits)) return null
  return (
    // Keeps its width, because the count comes later
    <Link to="/admin/bank" className={buttonClass({ size: 'sm', variant: 'ghost' }, 'min-w-40 max-wide:hidden')}>
      {count === undefined ? t('Without a request') : t('Without a request ({count})', { count })}
    </Link>
  )
}

/** @returns the names of the phones that have fallen silent, because requests then wait for a statement */
function useSilentPhones(): string {
  const now = useNow(HOUR_MS)
  const silent = useDevices().data?.filter((device) => device.pausedAt === null && isSilent(device, now)) ?? []
  return silent.map(({ name }) => name).join(', ')
}

function SilentPhones() {
  const names = useSilentPhones()
  if (names === '') return null
  return (
    <Link
      to="/admin/settings/bank"
      className="inline-flex min-h-11 items-center gap-2 text-sm text-warn hover:underline max-wide:hidden"
    >
      <Smartphone size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {t('No messages from {names} for a day. Check that the app may run in the background.', { names })}
      </span>
    </Link>
  )
}

/** @returns true while a file is held over the page */
function useDroppedFile(onFile: (file: File) => void): boolean {
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return
      event.preventDefault()
      setDragged(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragged(false)
    }
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0]
      setDragged(false)
      // A dialog that is open takes its own files
      if (!file || document.querySelector('dialog[open]')) return
      event.preventDefault()
      onFile(file)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  })
  return isDragged
}
