import { useEffect } from 'react'
import { accentRules, type Accent } from '../../../contract/accents.ts'

let sheet: CSSStyleSheet | undefined

/** Shows the panel in this accent, also when it changes after the page was sent. */
export function usePanelAccent(accent: Accent): void {
  useEffect(() => {
    if (!sheet) {
      sheet = new CSSStyleSheet()
      document.adoptedStyleSheets.push(sheet)
    }
    sheet.replaceSync(accentRules(accent))
  }, [accent])
}
