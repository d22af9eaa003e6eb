import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../platform/calls/api-error.ts'
import { download } from '../../../platform/admin/download.ts'
import { t } from '../../../platform/i18n.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import type { Action } from './action-menu.tsx'

interface Export {
  /** The file's name: "purchases.csv". */
  name: string
  disabled: boolean
  /** Asks for the file, such as `(options) => files.orders.exportPurchases(filter, options)`. */
  fetch: (options: { signal: AbortSignal }) => Promise<unknown>
}

/** Saves a list as CSV; leaving the screen gives it up. `<ListPage more={[useExport({ name, disabled, fetch })]}>` */
export function useExport({ name, disabled, fetch }: Export): Action {
  const [pending, setPending] = useState(false)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const run = async () => {
    abort.current = new AbortController()
    const { signal } = abort.current
    setPending(true)
    try {
      await download(fetch({ signal }), name)
      toast(t('{name} saved', { name }))
    } catch (error) {
      if (signal.aborted) return
      toast(errorMessage(error), { tone: 'bad', action: { label: t('Retry'), run: () => void run() } })
    } finally {
      setPending(false)
    }
  }
  return {
    label: t('Export CSV'),
    icon: <Download size={16} aria-hidden />,
    disabled,
    pending,
    run: () => void run(),
  }
}
