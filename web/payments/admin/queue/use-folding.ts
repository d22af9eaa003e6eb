import { useEffect, useState } from 'react'

/** So long is a result read, and so long nobody has decided anything. */
const PAUSE_MS = 3_000

/**
 * Folds what is reviewed in a pause: the rows below move up then, and no thumb should be on its way.
 * @param isPause false while an approval can be taken back, and where nothing is folded
 */
export function useFolding(reviewed: readonly string[], isPause: boolean) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [isOpen, setOpen] = useState(false)
  const ids = reviewed.join(' ')
  useEffect(() => {
    if (!isPause || ids === '') return undefined
    const timer = setTimeout(() => setFolded(new Set(ids.split(' '))), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [ids, isPause])
  return { folded, isOpen, toggle: () => setOpen(!isOpen) }
}
