/** Lists the built files of each screen: its scripts, and the panel's style sheet. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The panel's frame in the build's manifest. */
export const PANEL_FRAME = 'shell/admin/admin-shell.tsx'

/** Inlines the panel's style sheet, which includes the store's own rules. */
export async function withPanelStyles(directory: string, page: string): Promise<string> {
  const chunks = await manifestOf(directory)
  const [file] = chunks[PANEL_FRAME]?.css ?? []
  if (file === undefined) {
    if (Object.keys(chunks).length > 0) throw new Error(`The build has no style sheet of ${PANEL_FRAME}`)
    return page
  }
  const sheet = await readFile(path.join(directory, file), 'utf8')
  // The disabled link tells the loader of chunks that the rules are there
  return page.replace(
    /<style>[\s\S]*?<\/style>/,
    () => `<style>${sheet.trim()}</style><link rel="stylesheet" href="/${file}" disabled>`,
  )
}

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

/** Reads the build's manifest; empty if there is no build. */
async function manifestOf(directory: string): Promise<Record<string, Chunk>> {
  const text = await readFile(path.join(directory, '.vite/manifest.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, Chunk>
}

/**
 * Makes preload links for the scripts of each screen that the page does not contain, so that the browser fetches them
 * together with the first file. A screen's address ends like its file: /my-key, my-key-screen.tsx. Screens of the panel
 * also need its frame.
 */
export async function screenPreloads(directory: string, page: string): Promise<(where: string) => string> {
  const chunks = await manifestOf(directory)
  const filesOf = (key: string, found = new Set<string>()): Set<string> => {
    const chunk = chunks[key]
    if (!chunk || found.has(chunk.file)) return found
    found.add(chunk.file)
    for (const name of chunk.imports ?? []) filesOf(name, found)
    return found
  }
  const links = new Map<string, string>()
  for (const key of Object.keys(chunks)) {
    const name = /\/([\w-]+)-screen\.tsx$/.exec(key)?.[1]
    if (name === undefined) continue
    const addLinks = (address: string, ...keys: string[]) => {
      const files = new Set(keys.flatMap((each) => [...filesOf(each)]))
      const missing = [...files].filter((file) => !page.includes(file))
      links.set(address, missing.map((file) => `<link rel="modulepreload" href="/${file}">`).join(''))
    }
    addLinks(`/${name}`, key)
    for (const address of name === 'admin-dashboard' ? ['/admin', '/admin/dashboard'] : [`/admin/${name}`])
      addLinks(address, PANEL_FRAME, key)
  }
  return (where) => links.get(where) ?? ''
}
