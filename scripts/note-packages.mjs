/** Notes which packages a bundle is made of, for the SBOM and the notices. */
import { writeFileSync } from 'node:fs'

/** From the first such folder, so that one that is a link elsewhere counts, too. */
const PACKAGE = /\/(node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)/

/** @returns a plugin for the bundler, and what writes the list */
export function notePackages() {
  const places = new Set()
  return {
    plugin: {
      name: 'note-packages',
      generateBundle() {
        for (const id of this.getModuleIds()) {
          const [, place] = PACKAGE.exec(id) ?? []
          if (place !== undefined) places.add(place)
        }
      },
    },
    write(file) {
      const sorted = [...places].toSorted((a, b) => (a < b ? -1 : 1))
      writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
    },
  }
}
