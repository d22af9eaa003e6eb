import { LANGUAGES } from '../../../contract/languages.ts'
import { getLanguage } from '../../platform/i18n.ts'
import { LanguageLinks } from './language-links.tsx'

/** The language of the page, and the links to the others: "English / हिन्दी". */
export function LanguageChoice() {
  return (
    <span className="inline-flex items-center gap-2">
      <span className="font-medium">{LANGUAGES[getLanguage()]}</span>
      <span aria-hidden className="text-fg-3">
        /
      </span>
      <LanguageLinks className="inline-flex min-h-11 items-center font-semibold text-brand hover:underline" />
    </span>
  )
}
