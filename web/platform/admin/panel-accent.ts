import { useEffect } from 'react'
import { accentRules, type Accent } from '../../../contract/accents.ts'

let sheet: CSSStyleSheet | undefined

/** Shows the panel in this accent, also when it changes after the page was sent. */
export function usePanelAccent(accent: Accent): void {
  useEffect(() => {
    if (!sheet) {
      // Older browsers show it from the next page on
      if (!('adoptedStyleSheets' in document)) return
      sheet = new CSSStyleSheet()
      document.adoptedStyleSheets.push(sheet)
    }
    sheet.replaceSync(accentRules(accent))
  }, [accent])
}
