/**
 * Draws pages on the server (docs/decisions/0011) with the same components and the data that the page is delivered
 * with. Built into dist/render and loaded by path, so that neither side imports the other.
 *
 * A drawing is one synchronous turn from data to text. All module state is set at its start and cleared at its end, so
 * that nothing of one person ever shows in the page of another.
 */
import { renderToString } from 'react-dom/server'
import { LANGUAGE_CODES, type Language } from '../contract/languages.ts'
import { translator, type Catalogue, type Translate } from '../contract/words.ts'
import type { PageData } from '../contract/page.ts'
import { DRAWN_PANEL_PAGES } from '../contract/panel-pages.ts'
import { fillQueries, setBoot } from './platform/calls/boot.ts'
import { holdTime, releaseTime } from './platform/clock.ts'
import { drawInZone } from './platform/dates.ts'
import { fetchScreens, placeAt } from './platform/navigation/navigation.ts'
import { createQueries } from './platform/calls/queries.ts'
import { drawFor } from './platform/session/session.ts'
import { speak } from './platform/i18n.ts'
import { drawInTheme, type Theme } from './platform/theme.ts'
import { screens } from './routes.tsx'
import { StoreApp } from './shell/store-app.tsx'

const VISITOR = ['/', '/login', '/signup', '/terms-policy']
const BUYER = ['/', '/buy', '/my-key', '/wallet-history', '/add-balance']

/** Returns all addresses that have a screen. */
export const known: readonly string[] = screens.map(({ path }) => path)

await fetchScreens(screens, [...VISITOR, ...BUYER, ...DRAWN_PANEL_PAGES])

/** True if this path is drawn here, for this data. Paths that only redirect are not. */
export function isDrawn(path: string, { user, admin }: PageData): boolean {
  if (DRAWN_PANEL_PAGES.includes(path))
    return admin !== null && (admin.admin.hasSecondFactor || !admin.secondFactorRequired)
  return user ? BUYER.includes(path) : !admin && VISITOR.includes(path)
}

const catalogues = Object.entries(import.meta.glob<Catalogue>('./words/*.json', { import: 'default', eager: true }))
const isOfPanel = (file: string) => file.endsWith('-panel.json')

/**
 * Speaks each language with the words that the browser has on a page of this part. A free text may be one of others.
 */
const speakersOf = (panel: boolean) =>
  Object.fromEntries(
    LANGUAGE_CODES.map((language) => {
      const own = catalogues.filter(([file]) => file.startsWith(`./words/${language}`) && (panel || !isOfPanel(file)))
      return [language, translator(language, new Map(own.flatMap(([, words]) => Object.entries(words))))]
    }),
  ) as Record<Language, Translate>
const speakers = { store: speakersOf(false), panel: speakersOf(true) }

/**
 * @param search the query of the address with its question mark, or empty
 * @returns the content of #root
 */
export function draw(
  path: string,
  search: string,
  { theme, language }: { theme: Theme; language: Language },
  boot: PageData,
): string {
  const queries = createQueries()
  setBoot(boot)
  if (boot.zone) drawInZone(boot.zone)
  drawInTheme(theme)
  speak(language, speakers[DRAWN_PANEL_PAGES.includes(path) ? 'panel' : 'store'][language])
  drawFor(boot.user, boot.admin)
  fillQueries(queries, boot)
  placeAt(path, search)
  // Runs last, because stores draw no change while time is held
  holdTime(boot.now)
  try {
    return renderToString(<StoreApp queries={queries} />)
  } finally {
    releaseTime()
    drawFor(null, null)
    setBoot(undefined)
  }
}
