import { Menu } from 'lucide-react'
import { accentTokens } from '../../../contract/accents.ts'
import { own, t } from '../../platform/i18n.ts'
import type { useFace } from '../../platform/calls/site.ts'
import { useTheme, type Theme } from '../../platform/theme.ts'
import { Brand } from '../../ui/page/brand.tsx'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { ProductCover } from '../../ui/pictures/product-cover.tsx'

type Shown = ReturnType<typeof useFace>

/** A picture of the store's first screen on a phone. It takes no input. */
export function FacePreview({ shown }: { shown: Shown }) {
  const theme = useTheme()
  const { websiteName, accent } = shown
  return (
    <figure className="mx-auto w-full max-w-80">
      <figcaption className="mb-2 text-sm font-medium text-fg-2">{t('Preview')}</figcaption>
      <div
        key={`${accent} ${theme}`}
        ref={(frame) => colour(frame, shown, theme)}
        aria-hidden
        className="overflow-hidden rounded-panel border border-line-2 bg-bg select-none"
      >
        <div className="flex min-h-14 items-center justify-between gap-2.5 border-b border-line px-4">
          <Brand />
          <Menu size={20} className="shrink-0 text-fg-2" />
        </div>
        <div className="grid grid-cols-1 gap-3 p-3">
          <div className="glow grid gap-4 rounded-card border border-line bg-surface p-4">
            <p className="text-2xl font-semibold wrap-anywhere">
              {own(shown, 'heroLine') || t('Licence keys, delivered instantly')}
            </p>
            <div className="flex gap-2">
              <span className={buttonClass({ size: 'sm' }, 'flex-1')}>{t('Create account')}</span>
              <span className={buttonClass({ size: 'sm', variant: 'secondary' }, 'flex-1')}>{t('Login')}</span>
            </div>
          </div>
          <div className="flex overflow-hidden rounded-card border border-line bg-surface">
            <ProductCover name={websiteName} sequence={3} className="w-20 shrink-0 [--monogram:48px]" />
            <div className="grid flex-1 gap-2 p-3">
              <span className="h-3 w-2/3 rounded-full bg-hover" />
              <span className="h-3 w-full rounded-full bg-hover" />
              <span className="text-sm font-semibold text-brand">{t('Login to see price')}</span>
            </div>
          </div>
        </div>
      </div>
    </figure>
  )
}

/** Sets the colours by script, because the content policy forbids style attributes. */
function colour(frame: HTMLElement | null, { accent }: Shown, theme: Theme): void {
  for (const [name, value] of Object.entries(accentTokens(accent, theme))) frame?.style.setProperty(name, value)
}
