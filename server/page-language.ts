/** Knows the language of a page. The store and its panel each have their own, kept in a cookie and on the account. */
import { languageOf, type Language } from '../contract/languages.ts'
import { keepAdminsLanguage } from './admins/admins.ts'
import type { Queries } from './platform/database/database.ts'
import type { Call } from './platform/http/http.ts'
import { keepUsersLanguage } from './users/access/accounts.ts'

const YEAR_MS = 31_536_000_000

const isPanel = (path: string) => path.startsWith('/admin')
const cookieOf = (path: string) => (isPanel(path) ? 'chaabi_panel_language' : 'chaabi_language')

interface People {
  user: { language?: Language | undefined } | null
  admin: { admin: { language?: Language | undefined } } | null
}

/** Returns the language of the account, which the cookie then follows, or else the cookie's. */
export function pageLanguage({ cookies }: Pick<Call, 'cookies'>, path: string, { user, admin }: People): Language {
  const kept = languageOf(cookies.read(cookieOf(path)))
  const chosen = isPanel(path) ? admin?.admin.language : user?.language
  if (chosen && chosen !== kept) cookies.write(cookieOf(path), chosen, YEAR_MS)
  return chosen ?? kept ?? 'en'
}

/** Keeps a choice in this browser, and on the account that is logged in there. */
export async function chooseLanguage(
  db: Queries,
  { cookies, user, admin }: Pick<Call, 'cookies' | 'user' | 'admin'>,
  path: string,
  language: Language,
): Promise<void> {
  cookies.write(cookieOf(path), language, YEAR_MS)
  if (isPanel(path) && admin) await keepAdminsLanguage(db, admin.id, language)
  else if (!isPanel(path) && user) await keepUsersLanguage(db, user.id, language)
}
