/** A folder of pages as the build makes one, without the screens: what heads and manifests are tested with. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const FILES = ['index.html', 'public/unavailable.html', 'public/manifest.webmanifest']

export async function withPages<T>(work: (webDirectory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-pages-'))
  const web = path.join(directory, 'web')
  await mkdir(web)
  for (const file of FILES) await cp(path.resolve('web', file), path.join(web, path.basename(file)))
  try {
    return await work(web)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** What messengers read in the head of a page, by name, as it is written there. */
export function metaIn(page: string): Record<string, string> {
  const [head = ''] = page.split('</head>')
  const tags = head.matchAll(/<meta (?:property|name)="([\w:]+)" content="([^"]*)"/g)
  return Object.fromEntries([...tags].map(([, tag = '', value = '']) => [tag, value]))
}
