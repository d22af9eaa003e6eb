import { LANGUAGES } from '../../../contract/languages.ts'
import { getLanguage } from '../../platform/i18n.ts'
import { useLocation } from '../../platform/navigation/router.tsx'

/** Leads to this page in each other language. The server takes the choice, so it needs no script. */
export function LanguageLinks({ className }: { className: string }) {
  const { pathname, searchText, hash } = useLocation()
  return Object.entries(LANGUAGES).map(
    ([code, name]) =>
      code !== getLanguage() && (
        <a
          key={code}
          href={`${pathname}${searchText ? `${searchText}&` : '?'}language=${code}${hash}`}
          lang={code}
          className={className}
        >
          {name}
        </a>
      ),
  )
}
