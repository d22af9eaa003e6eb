import { useState } from 'react'
import { RefreshCw } from 'lucide-react'
import { t } from '../platform/i18n.ts'
import { toast, toastError } from '../platform/navigation/toast.ts'
import { refreshSession } from '../platform/session/session.ts'
import { IconButton } from '../ui/buttons/icon-button.tsx'

/** Reloads the balance and what else the page shows, and reports the result. */
export function RefreshButton({ reload }: { reload: () => Promise<{ error: Error | null }>[] }) {
  const [refreshing, setRefreshing] = useState(false)
  const refresh = async () => {
    setRefreshing(true)
    const [fault, ...answers] = await Promise.all([refreshSession(), ...reload()])
    setRefreshing(false)
    const error = fault ?? answers.find((answer) => answer.error)?.error
    if (error) toastError(error)
    else toast(t('Up to date'))
  }
  return (
    <IconButton
      label={t('Refresh')}
      variant="outline"
      pending={refreshing}
      icon={<RefreshCw size={17} aria-hidden />}
      onClick={() => void refresh()}
    />
  )
}
