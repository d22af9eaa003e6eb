/** Statements that another app shares with the installed panel. The service worker keeps them (web/public/sw.js). */
import { useEffect, useRef } from 'react'
import { t } from '../../platform/i18n.ts'
import { useNavigate, useSearch } from '../../platform/router.tsx'

const CACHE = 'shared-statement'
/** One that nobody has taken by then was forgotten. */
const KEPT_MS = 3_600_000

export interface SharedStatement {
  file?: Blob
  fault?: string
}

/** Hands a shared statement over once. It is then nowhere on the device. */
export function useSharedStatement(onShared: (shared: SharedStatement) => void): void {
  const { shared: state } = useSearch('/admin/payment-manager')
  const navigate = useNavigate()
  const isTaken = useRef(false)
  useEffect(() => {
    if (state === undefined || isTaken.current) return
    isTaken.current = true
    const take = async () => {
      const shared = await takeShared(state)
      // Before the dialog, which has an entry of the history of its own
      await navigate<'/admin/payment-manager'>({
        search: (present) => ({ ...present, shared: undefined }),
        replace: true,
      })
      // Another one may be shared while this screen is open
      isTaken.current = false
      onShared(shared)
    }
    void take()
  })
}

async function takeShared(state: string): Promise<SharedStatement> {
  if (state === 'large') return { fault: t('This file is larger than 5 MB. Choose a shorter period.') }
  if (state === 'many') return { fault: t('Share one statement at a time.') }
  const file = state === 'file' ? await takeKept().catch(() => undefined) : undefined
  return file ? { file } : { fault: t('The shared file didn’t arrive. Choose it here.') }
}

async function takeKept(): Promise<Blob | undefined> {
  const kept = await caches.open(CACHE)
  const [request] = await kept.keys()
  const answer = request && (await kept.match(request))
  const file = await answer?.blob()
  await caches.delete(CACHE)
  return Date.now() - Date.parse(answer?.headers.get('date') ?? '') < KEPT_MS ? file : undefined
}
