import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { api } from './contract/api.ts'
import { oklch } from './contract/accents.ts'
import { adminEndpoints, endpointTable } from './contract/client.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { panelPages } from './contract/panel-pages.ts'
import { BUILD_TARGETS } from './scripts/served-browsers.mjs'

const API_PORT = process.env['API_PORT'] ?? '4000'

/**
 * True for calls of pages outside the admin panel. An admin logs in and out by `sessions`. Calls that no page makes are
 * for other programs: reports without a login, and the sums of all stock.
 */
const isForAll = (feature: string, { access, path: at }: Endpoint) =>
  feature === 'sessions' ||
  (feature !== 'reports' && access !== 'admin' && access !== 'device' && at !== '/keys/all-stats')

/** What `/` calls itself. Every other call of a buyer comes with the file that each page fetches next. */
const FIRST_CALLS = new Set([
  'sessions.me',
  'sessions.adminCheck',
  'sessions.logout',
  'sessions.adminLogout',
  'keys.mine',
  'catalogue.list',
  'settings.site',
  'settings.upi',
  'settings.notice',
  'payments.mine',
  'payments.activePlans',
])
const isOfFirst = (feature: string, _: Endpoint, name: string) => FIRST_CALLS.has(`${feature}.${name}`)
const isLater = (...[feature, endpoint, name]: Parameters<typeof isOfFirst>) =>
  isForAll(feature, endpoint) && !isOfFirst(feature, endpoint, name)

/** Names the icons that buyers' screens share. One file imports all icons, so importers can't tell. */
const SHARED_ICONS = new RegExp(
  'icons/(bell|check|chevron-down|chevron-up|chevrons-up-down|copy|download|eye|eye-off|file-spreadsheet|file-text|' +
    'info|log-out|printer|qr-code|receipt-indian-rupee|receipt-text|share-2|shield-check|shield-exclamation-point|' +
    'smartphone|ticket|trash|triangle-exclamation-point|user-round)\\.mjs$',
)
const PANEL_ICONS = new RegExp(
  'icons/(arrow-right|chevron-left|circle-question-mark|ellipsis|indian-rupee|landmark|link-2|minus|package|pencil|' +
    'scroll-text|shield-off|sliders-horizontal|undo-2|users)\\.mjs$',
)

type ModuleInfoOf = (id: string) => { importers: string[] } | null

/** What the panel needs too, and what every page starts later. They would otherwise get a file each. */
const SHARED_FILES = new RegExp(
  '[\\\\/](use-sentinel|share-sheet|share-product|lazy-part|later-screens|add-money|confirm-dialog|live-updates|' +
    'later-calls|shell[\\\\/]later)\\.tsx?$',
)

/** Lists the screens and dialogs that bring a module along. Only lazy imports lead to those. */
function bringersOf(id: string, modules: { getModuleInfo: ModuleInfoOf }): string[] {
  const seen = new Set<string>()
  const bringers: string[] = []
  const climb = (module: string) => {
    if (seen.has(module)) return
    seen.add(module)
    const importers = modules.getModuleInfo(module)?.importers ?? []
    if (importers.length === 0) bringers.push(module)
    importers.forEach(climb)
  }
  climb(id)
  return bringers
}

const isOfPanel = (module: string) => /[\\/]web[\\/][a-z-]+[\\/]admin[\\/]/.test(module)

/** Groups small parts that more than one screen of a buyer needs. */
function sharedByBuyers(id: string, modules: { getModuleInfo: ModuleInfoOf }): string | null {
  if (SHARED_ICONS.test(id) || SHARED_FILES.test(id)) return 'shared'
  if (!/[\\/]web[\\/](ui|platform)[\\/]|useMutation|mutationObserver/.test(id)) return null
  return bringersOf(id, modules).filter((each) => !isOfPanel(each)).length > 1 ? 'shared' : null
}

/** Groups parts that several of the panel's screens need and no buyer does. They come with the first of these. */
function sharedByPanel(id: string, modules: { getModuleInfo: ModuleInfoOf }): string | null {
  if (PANEL_ICONS.test(id)) return 'panel'
  // The contract's own files bring Zod along, which the first of the panel's screens does without.
  if (/[\\/]contract[\\/](?!panel-pages)/.test(id)) return null
  const bringers = bringersOf(id, modules)
  const screens = bringers.filter((each) => /-(screen|shell)\.tsx$/.test(each))
  return screens.length > 1 && bringers.every(isOfPanel) ? 'panel' : null
}

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), olderStyles(), leanPackages(), inlineStyles()],
  // The browser's client needs method and path of each call and no schema, so that Zod stays out of the first load.
  // The admins' calls, and who may make them, are for the admin panel alone.
  define: {
    __ENDPOINTS__: JSON.stringify(endpointTable(api, isOfFirst)),
    __LATER_ENDPOINTS__: JSON.stringify(endpointTable(api, isLater)),
    __PANEL_ENDPOINTS__: JSON.stringify(endpointTable(api, (feature, endpoint) => !isForAll(feature, endpoint))),
    __ADMIN_ENDPOINTS__: JSON.stringify(adminEndpoints(api)),
    __PANEL_PATHS__: JSON.stringify(Object.keys(panelPages)),
  },
  // As modules, workers have their parts once
  worker: { format: 'es' },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // Every page already has these files, so later parts need not name them.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => !/\/(rolldown-runtime|engine|first)-/.test(file)),
    },
    target: BUILD_TARGETS,
    cssTarget: BUILD_TARGETS,
    // One file holds all that main.tsx imports, a second what buyers' screens share, a third what the panel's share.
    // Otherwise each small shared part would become a file and a request of its own.
    rolldownOptions: {
      output: {
        // The first load names each later part, and a hash does not get smaller when compressed
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            {
              name: 'engine',
              test: /web[\\/]engine\.ts$|[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 3,
            },
            { name: 'first', test: /web[\\/]main\.tsx$/, priority: 2 },
            // An order runs on wherever the buyer goes, so it is no part of its screen
            { name: 'purchase', test: /web[\\/]orders[\\/]purchase[\\/]/, priority: 2 },
            { name: sharedByBuyers, debugName: 'shared', priority: 1 },
            // Leaves out their imports, because buyers need some of those and would fetch the whole file.
            { name: sharedByPanel, debugName: 'panel', includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${API_PORT}` } },
  preview: { proxy: { '/api': `http://127.0.0.1:${API_PORT}` } },
})

const LUCIDE_ICON = /lucide-react[\\/].*[\\/]icons[\\/]/

/** Draws icons without the options of lucide's components (web/ui/pictures/create-icon.tsx), and leaves out more. */
function leanPackages(): Plugin {
  return {
    name: 'lean-packages',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source, importer) =>
      source.endsWith('/createLucideIcon.mjs') && importer?.includes('lucide-react')
        ? path.resolve('web/ui/pictures/create-icon.tsx')
        : null,
    // Each shape has a random key of six letters, which no compression makes smaller. Nobody reads the name and size
    transform: (code, id) =>
      LUCIDE_ICON.test(id)
        ? code.replaceAll(/,?\s*key: "\w+"|^ {2}name: .*| size: 24,|^__iconData\.node;/gm, '')
        : // What the compiler has checked, and nobody reads
          code.replace('Expected enabled to be a boolean or a callback that returns a boolean', 'enabled'),
  }
}

/** `oklch(90% .19 122/.13)`, as Tailwind leaves it */
const OKLCH = /oklch\(([\d.]+)% ([\d.]+) ([\d.]+)(?: ?\/ ?([\d.]+))?\)/g

/** Each of Tailwind's own variables, for browsers with `@property` */
const REGISTERED = /@property[^}]*\}/g
/** The same for the others */
const PRESET = /@layer properties\{@supports [^{]*\{([^}]*\})\}\}/

/**
 * Writes styles as the oldest browsers served read them (docs/browsers.md): colours as hex, and a height of the window
 * beside one without the bars of a phone. Vite's own work follows, with `cssTarget`.
 */
function olderStyles(): Plugin {
  return {
    name: 'older-styles',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('.css')
        ? code
            .replaceAll(OKLCH, (_, lightness, chroma, hue, alpha = '1') =>
              oklch([Number(lightness) / 100, Number(chroma), Number(hue)], Number(alpha) * 100),
            )
            .replaceAll(/([a-z-]+): ?([^;{}]*)dvh([^;{}]*)/g, '$1:$2vh$3;$&')
        : null,
    // All browsers get what older ones need. Both would not fit into the first load
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css'))
          file.source = String(file.source).replaceAll(REGISTERED, '').replace(PRESET, '@layer properties{$1}')
      }
    },
  }
}

/**
 * Puts the one style sheet into index.html, so that the first paint waits for the HTML alone. The server reads the
 * block's hash for its content security policy.
 */
function inlineStyles(): Plugin {
  return {
    name: 'inline-styles',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') return
      page.source = String(page.source).replace(
        /<link rel="stylesheet"[^>]*href="\/([^"]+\.css)"[^>]*>/g,
        (tag, name) => {
          const sheet = bundle[name as string]
          if (sheet?.type !== 'asset') return tag
          // Browsers don't fetch a disabled link. Without it, a later chunk's loader would fetch the same rules again
          // and put them after that chunk's own.
          return `<style>${String(sheet.source).trim()}</style><link rel="stylesheet" href="/${name}" disabled>`
        },
      )
    },
  }
}
