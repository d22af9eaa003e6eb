/** The store's face in the head of a page and in the app's manifest: what browsers and messengers read of it. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownText, type Language } from '../../../../contract/languages.ts'
import type { OtherTexts } from '../../../../contract/owner-texts.ts'
import { wordsIn } from '../../words.ts'
import { ACCENT_NAMES, accentStyles, type Accent } from '../../../../contract/accents.ts'

export interface Face extends OtherTexts<'websiteTitle' | 'heroLine'> {
  websiteName: string
  websiteTitle: string
  accent: Accent
  heroLine: string
  /** Addresses in the store. */
  logo?: string | undefined
  shareImage?: string | undefined
}

/** The product that a link names. */
export interface Subject {
  title: string
  /** Empty: the store's. */
  description: string
  /** An address in the store. Without one messengers get the store's picture. */
  image?: string
}

const DESCRIPTION = 'Buy time-limited licence keys with UPI. Delivered instantly.'
const DEFAULT_SHARE_IMAGE = '/share.jpg'
const DEFAULT_ICONS =
  '<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/icon-192.png">'

/** The mark in index.html that the head replaces. */
export const HEAD_PLACE = /<meta name="description"[\s\S]*?<link rel="manifest"[^>]*>/

/** Returns what the browser's tab says before the page does. The store's usual title is a text like any other. */
export const titleOf = (face: Face, language: Language): string =>
  wordsIn(language)(ownText(language, face, 'websiteTitle'))

interface HeadOptions {
  /** Where messengers find the picture. Without it they get none. */
  publicOrigin: string | undefined
  /** True for a page that people send each other, false for one of the panel. */
  isShared: boolean
  subject?: Subject | undefined
}

/**
 * Returns what a page says of the store, or of a product in it. Nothing in it depends on a caller, and a shared link
 * keeps its own address, because no canonical one is named.
 */
export function headOf(face: Face, language: Language, { publicOrigin, isShared, subject }: HeadOptions): string {
  const description = ownText(language, face, 'heroLine') || wordsIn(language)(DESCRIPTION)
  const tags: [name: string, value: string][] = [
    ['og:type', 'website'],
    ['og:site_name', face.websiteName],
    ['og:title', subject ? `${subject.title} · ${face.websiteName}` : titleOf(face, language)],
    ['og:description', subject?.description || description],
  ]
  if (publicOrigin !== undefined)
    tags.push(
      ['og:image', publicOrigin + (subject?.image ?? face.shareImage ?? DEFAULT_SHARE_IMAGE)],
      ['og:image:width', '1200'],
      ['og:image:height', '630'],
      ['og:image:alt', subject?.title ?? face.websiteName],
    )
  const { logo } = face
  const styles = accentStyles(face.accent)
  return [
    `<meta name="description" content="${inAttribute(description)}">`,
    ...(isShared ? tags.map(([name, value]) => `<meta property="${name}" content="${inAttribute(value)}">`) : []),
    ...(isShared && publicOrigin !== undefined ? ['<meta name="twitter:card" content="summary_large_image">'] : []),
    logo === undefined ? DEFAULT_ICONS : `<link rel="icon" href="${logo}"><link rel="apple-touch-icon" href="${logo}">`,
    `<link rel="manifest" href="/${isShared ? MANIFEST : PANEL_MANIFEST}">`,
    ...(styles === '' ? [] : [`<style>${styles}</style>`]),
  ].join('')
}

/** The hash of each accent's style sheet, for the content policy; empty for the default. */
export const ACCENT_HASHES = Object.fromEntries(
  ACCENT_NAMES.map((accent) => {
    const styles = accentStyles(accent)
    return [accent, styles && ` 'sha256-${createHash('sha256').update(styles).digest('base64')}'`]
  }),
) as Record<Accent, string>

function inAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

export type ReadFace = (request: FastifyRequest, reply: FastifyReply) => Promise<Face>

/** The path to which other apps share statements once the panel is installed (web/public/sw.js). */
export const SHARE_PATH = '/admin/share-statement'

/** Makes the panel an app of its own, separate from the store's. */
const PANEL = {
  id: '/admin',
  start_url: '/admin',
  scope: '/admin',
  categories: ['business'],
  share_target: {
    action: SHARE_PATH,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      text: 'text',
      files: [
        {
          name: 'statement',
          accept: [
            'text/csv',
            'text/comma-separated-values',
            'text/tab-separated-values',
            'text/plain',
            'application/csv',
            'application/vnd.ms-excel',
            'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
            '.csv',
            '.tsv',
            '.txt',
            '.xlsx',
            'application/pdf',
            '.pdf',
          ],
        },
      ],
    },
  },
}

/** Serves the manifests of the installed apps, store and panel, under the store's own name and logo. */
export async function serveManifest(app: FastifyInstance, directory: string, readFace: ReadFace): Promise<void> {
  const text = await readFile(path.join(directory, MANIFEST), 'utf8').catch(() => '{}')
  const manifest = JSON.parse(text) as object
  const serve = (file: string, nameOf: (store: string) => string, own: object) =>
    app.get(`/${file}`, async (request, reply) => {
      const { websiteName, logo } = await readFace(request, reply)
      const name = nameOf(websiteName)
      const type = logo?.endsWith('.webp') ? 'image/webp' : 'image/jpeg'
      const icons = logo !== undefined && { icons: [{ src: logo, type, sizes: '512x512', purpose: 'any' }] }
      return reply
        .type('application/manifest+json')
        .header('cache-control', 'no-cache')
        .send(JSON.stringify({ ...manifest, ...own, name, short_name: name, ...icons }))
    })
  serve(MANIFEST, (store) => store, {})
  serve(PANEL_MANIFEST, (store) => `${store} admin`, PANEL)
}
export const MANIFEST = 'manifest.webmanifest'
const PANEL_MANIFEST = 'admin.webmanifest'
