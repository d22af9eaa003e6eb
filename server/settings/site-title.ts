/** The title of the site while no admin has written one: it follows the store's name. */
import { suffixOf, type Language } from '../../contract/languages.ts'
import { DEFAULT_WEBSITE_NAME, DEFAULT_WEBSITE_TITLE, TITLE_LENGTH_MAX } from '../../contract/limits.ts'
import { OTHER_LANGUAGES, type OtherTexts } from '../../contract/owner-texts.ts'
import { wordsIn } from '../platform/words.ts'

type Site = { websiteName: string; websiteTitle: string } & OtherTexts<'websiteTitle'>
type Titles = Partial<Omit<Site, 'websiteName'>>

/**
 * @param before what is saved
 * @param wanted what is sent. An absent title stays
 * @returns it with the titles of the new name, where neither the admin nor this form has written another one
 */
export const withTitles = <Form extends Partial<Site>>(before: Site, wanted: Form): Form => ({
  ...wanted,
  ...titlesAfter(before, wanted),
})

function titlesAfter(before: Site, wanted: Partial<Site>): Titles {
  const name = wanted.websiteName ?? before.websiteName
  const follows = (field: keyof Titles, language: Language) => {
    const saved = before[field] ?? ''
    return (wanted[field] ?? saved) === saved && saved === titleOf(before.websiteName, language)
  }
  if (name === before.websiteName || !follows('websiteTitle', 'en')) return {}
  const titles: Titles = { websiteTitle: titleOf(name, 'en') }
  for (const language of OTHER_LANGUAGES) {
    const field = `websiteTitle${suffixOf(language)}` as keyof OtherTexts<'websiteTitle'>
    if (follows(field, language)) titles[field] = titleOf(name, language)
  }
  return titles
}

/** A store without a name keeps the first title, which is translated like any text. */
function titleOf(name: string, language: Language): string {
  if (name === DEFAULT_WEBSITE_NAME) return language === 'en' ? DEFAULT_WEBSITE_TITLE : ''
  const t = wordsIn(language)
  const title = t('{name}: licence keys, delivered instantly', { name })
  return title.length > TITLE_LENGTH_MAX ? name : title
}
