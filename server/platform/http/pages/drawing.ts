/** Draws pages on the server, within a share of its time. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Language } from '../../../../contract/languages.ts'
import type { Face, Subject } from './page-head.ts'

/** The parts of a page's data that this file reads (contract/page.ts). The browser reads the rest. */
export interface PageStart {
  user: object | null
  admin: object | null
  /** The reason why the buyer's cookie is no longer valid. Only that browser gets it. */
  refusal?: string
  site: Face
  language: Language
  now: string
  /** The time zone of the dates in a page for a logged-in person. */
  zone?: string
  /** The product that the address names, for messengers. It is not in the page's data. */
  subject?: ((language: Language) => Subject) | undefined
}

type Theme = 'dark' | 'light'
/** How a page is drawn, apart from its data. */
export interface Look {
  theme: Theme
  language: Language
}
/** The browser finds the language in the page itself. */
type DrawnData = Omit<PageStart, 'language' | 'subject'>

/** The exports of web/server.tsx. */
interface Renderer {
  known: readonly string[]
  isDrawn(path: string, boot: DrawnData): boolean
  draw(path: string, search: string, look: Look, boot: DrawnData): string
}

export async function loadRenderer(file: string): Promise<Renderer | undefined> {
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Renderer) : undefined
}

interface Drawing {
  where: string
  search: string
  look: Look
  /** The data as text. The same text gives the same drawing. */
  json: string
  isVisitor: boolean
  data: DrawnData
}

/**
 * The largest share of time for drawing, however many pages are requested. Beyond it, browsers draw their pages
 * themselves. Unused time is saved up to a limit, which a starting store has at once.
 */
const DRAWING = { share: 0.1, savedMsMax: 1_000 }
/** The share for visitors' pages with a query, because anyone can invent many, and each is drawn for one visitor. */
const DRAWING_QUERIES = { share: 0.02, savedMsMax: 100 }

/**
 * Draws a page unless it was just drawn. Each path keeps its last drawing for visitors per look, so that memory is
 * bounded. Drawings for logged-in people are not kept.
 */
export function drawWithin({ isDrawn, draw }: Renderer): (drawing: Drawing) => string {
  const last = new Map<string, { json: string; html: string }>()
  const spend = allowance(DRAWING)
  const spendOnQueries = allowance(DRAWING_QUERIES)
  return ({ where, search, look, json, isVisitor, data }) => {
    if (!isDrawn(where, data)) return ''
    const name = `${look.language} ${look.theme} ${where}`
    const isKept = isVisitor && search === ''
    const kept = isKept ? last.get(name) : undefined
    if (kept?.json === json) return kept.html
    const within = isVisitor && !isKept ? spendOnQueries : spend
    const own = { now: data.now, ...(data.zone !== undefined && { zone: data.zone }) }
    // Draws from the data as the browser will have it, after JSON: moments are texts, for example
    const html = within(() => draw(where, search, look, { ...(JSON.parse(json) as DrawnData), ...own }))
    if (html === undefined) return ''
    if (isKept) last.set(name, { json, html })
    return html
  }
}

/** @returns a function that does a piece of work, unless the share of time is used up */
function allowance({ share, savedMsMax }: typeof DRAWING): <Result>(work: () => Result) => Result | undefined {
  let savedMs = savedMsMax
  let since = performance.now()
  return (work) => {
    const start = performance.now()
    savedMs = Math.min(savedMsMax, savedMs + (start - since) * share)
    since = start
    if (savedMs <= 0) return undefined
    try {
      return work()
    } finally {
      savedMs -= performance.now() - start
    }
  }
}
