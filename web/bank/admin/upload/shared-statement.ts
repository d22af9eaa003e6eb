/** Statements that another app shares with the installed panel. The service worker keeps them (web/public/sw.js). */
import { useEffect, useRef } from 'react'
import { t } from '../../../platform/i18n.ts'
import { navigate, useSearch } from '../../../platform/navigation/router.tsx'
import { confirm } from '../../../ui/overlays/confirm.ts'

const CACHE = 'shared-statement'
/** A shared file that nobody took within this time is deleted. */
const KEPT_MS = 3_600_000
const NAME_SHOWN_MAX = 80

interface SharedStatement {
  file?: Blob
  fault?: string
}

interface Taken extends SharedStatement {
  /** The file's own name; empty for shared text. */
  name?: string
}

/** Hands a shared statement over once, if the admin says that it is theirs. It is then nowhere on the device. */
export function useSharedStatement(onShared: (shared: SharedStatement) => void): void {
  const { shared: state } = useSearch('/admin/payment-manager')
  const isTaken = useRef(false)
  useEffect(() => {
    if (state === undefined || isTaken.current) return
    isTaken.current = true
    const take = async () => {
      const { name, ...shared } = await takeShared(state)
      // Runs before the dialog opens, because the dialog adds an entry to the history
      await navigate<'/admin/payment-manager'>({
        search: (present) => ({ ...present, shared: undefined }),
        replace: true,
      })
      // Another one may be shared while this screen is open
      isTaken.current = false
      // Any app of the device can share, and what is used here can approve payments
      if (shared.file === undefined || (await isOurs(name ?? ''))) onShared(shared)
    }
    void take()
  })
}

const isOurs = (name: string): Promise<boolean> =>
  confirm({
    title:
      name === ''
        ? t('Shared from another app: a text. Use it?')
        : t('Shared from another app: {name}. Use it?', { name: name.slice(0, NAME_SHOWN_MAX) }),
    body: t('Use it only if you have just shared your bank’s statement.'),
    confirmLabel: t('Use it'),
  })

async function takeShared(state: string): Promise<Taken> {
  if (state === 'large') return { fault: t('This file is larger than 5 MB. Choose a shorter period.') }
  if (state === 'many') return { fault: t('Share one statement at a time.') }
  const kept = state === 'file' ? await takeKept().catch(() => undefined) : undefined
  return kept ?? { fault: t('The shared file didn’t arrive. Choose it here.') }
}

async function takeKept(): Promise<Taken | undefined> {
  const kept = await caches.open(CACHE)
  const [request] = await kept.keys()
  const answer = request && (await kept.match(request))
  const file = await answer?.blob()
  await caches.delete(CACHE)
  if (!answer || !file || Date.now() - Date.parse(answer.headers.get('date') ?? '') >= KEPT_MS) return undefined
  return { file, name: decodeURIComponent(answer.headers.get('file-name') ?? '') }
}
