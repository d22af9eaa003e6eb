import type { ReactNode } from 'react'
import type { OwnedKey } from '../../contract/keys.ts'
import { Boundary } from '../platform/navigation/boundary.tsx'
import { t } from '../platform/i18n.ts'

interface KeysAtLeastProps {
  keys: readonly OwnedKey[]
  /** The keys as they are usually drawn. */
  children: ReactNode
}

/** Keys are paid for. If drawing them fails, they are shown as plain text, and other keys stay as they are. */
export function KeysAtLeast({ keys, children }: KeysAtLeastProps) {
  const plain = () => (
    <ul aria-label={t('Keys')} className="grid gap-2 rounded-card border border-line p-4">
      {keys.map(({ _id, key, productId }) => (
        <li key={_id} className="wrap-anywhere">
          {productId.name} <code className="font-mono select-all">{key}</code>
        </li>
      ))}
    </ul>
  )
  return <Boundary Instead={plain}>{children}</Boundary>
}
