/** Says why the store did not buy what it had promised, where the buyer looks for the key, until they have seen it. */
import { useState } from 'react'
import { TriangleAlert } from 'lucide-react'
import type { OwnTopUp } from '../../contract/payments.ts'
import { WISH_LASTS_MS } from '../../contract/limits.ts'
import { serverNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { useOwnRequests } from './use-own-requests.ts'
import { wishText } from './wishes/wish-words.ts'

const STORAGE_KEY = 'seen-ended-wish'

/** In the browser alone, which knows what was seen. */
export function EndedWish() {
  const requests = useOwnRequests().data
  const [seen, setSeen] = useState(readSeen)
  const ended = requests?.find(isEnded)
  if (!ended || ended._id === seen) return null
  const see = () => {
    setSeen(ended._id)
    keepSeen(ended._id)
  }
  return (
    <output
      className={'mb-4 flex flex-wrap items-center gap-3 rounded-panel border border-warn/30 bg-warn/8 p-4 text-sm'}
    >
      <TriangleAlert size={17} aria-hidden className="shrink-0 text-warn" />
      <span className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere text-warn">
        {ended.then && wishText(ended.then)}
      </span>
      <Button variant="secondary" size="sm" onClick={see}>
        {t('Got it')}
      </Button>
    </output>
  )
}

/** What the buyer ended is no news, and neither is what a rejected payment would have bought. */
const isEnded = ({ then, decidedAt, createdAt }: OwnTopUp): boolean =>
  then?.state === 'ended' &&
  wishText(then) !== undefined &&
  serverNow() - Date.parse(decidedAt ?? createdAt) < WISH_LASTS_MS

function readSeen(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    return null
  }
}

function keepSeen(id: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, id)
  } catch {
    // It is shown again
  }
}
