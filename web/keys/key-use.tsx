import { ChevronDown, Download } from 'lucide-react'
import type { OwnedKey } from '../../contract/keys.ts'
import { Boundary } from '../platform/navigation/boundary.tsx'
import { own, t } from '../platform/i18n.ts'
import { buttonClass } from '../ui/buttons/button.tsx'
import { cx } from '../ui/cx.ts'
import { hostIn, linksIn } from '../../contract/links-in.ts'

/** The page behind it learns nothing of the store, and gets no handle on it. */
const elsewhere = { target: '_blank', rel: 'noopener noreferrer nofollow' }

interface KeyUseProps {
  owned: OwnedKey
  isOpen?: boolean
}

/** Shows what comes with a key: a link to its program, and how to activate it, folded or open. */
export function KeyUse(props: KeyUseProps) {
  const { downloadUrl } = props.owned
  const plain = () => (
    <p className="text-sm wrap-anywhere whitespace-pre-line text-fg-2">
      {[downloadUrl, own(props.owned, 'instructions')].filter(Boolean).join('\n')}
    </p>
  )
  return (
    <Boundary Instead={plain}>
      <Use {...props} />
    </Boundary>
  )
}

function Use({ owned, isOpen = false }: KeyUseProps) {
  const { downloadUrl } = owned
  const instructions = own(owned, 'instructions')
  if (!instructions && !downloadUrl) return null
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2">
      {downloadUrl && (
        <a
          href={downloadUrl}
          {...elsewhere}
          className={buttonClass({ variant: 'secondary', size: 'sm' }, 'max-w-full')}
        >
          <Download size={16} aria-hidden className="shrink-0" />
          <span className="min-w-0 truncate">
            {t('Download from {host}', { host: hostIn(downloadUrl) ?? downloadUrl })}
          </span>
        </a>
      )}
      {instructions && (
        <details open={isOpen} className="group w-full text-sm">
          <summary
            className={cx(
              'flex min-h-11 w-fit cursor-pointer list-none',
              'items-center gap-1.5 rounded-control font-medium',
            )}
          >
            {t('How to activate')}
            <ChevronDown
              size={16}
              aria-hidden
              className="shrink-0 text-fg-3 transition-transform group-open:rotate-180"
            />
          </summary>
          <p className="pb-1 wrap-anywhere whitespace-pre-line text-fg-2">
            {linksIn(instructions).map(({ text, href }, index) =>
              href ? (
                <a key={index} href={href} {...elsewhere} className="font-medium text-fg underline">
                  {text}
                </a>
              ) : (
                text
              ),
            )}
          </p>
        </details>
      )}
    </div>
  )
}
