/** Puts a web server before the store: Caddy, or the one that is there already. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CADDY } from './checks.ts'
import type { Machine } from './machine.ts'

const CADDYFILE = '/etc/caddy/Caddyfile'
/** What was there before. The removal puts it back, because others may use Caddy too. */
const KEPT = `${CADDYFILE}.before-chaabi`
/** How Debian's own file begins and what it serves. */
const STOCK = /^# The Caddyfile is an easy way[^]*root \* \/usr\/share\/caddy/
const SAMPLES = ['nginx.conf', 'apache.conf']
const SAMPLE = /shop\.example/g

const caddyfileOf = (name: string, deploy: string): string =>
  readFileSync(path.join(deploy, 'Caddyfile'), 'utf8').replace('shop.example', name)

/** True if setup wrote it and nobody has changed it since. */
function isOurs(caddyfile: string, deploy: string): boolean {
  const [, name] = /^(\S+) \{$/m.exec(caddyfile) ?? []
  return name !== undefined && caddyfile === caddyfileOf(name, deploy)
}

/** @returns the step that puts Caddy in front, after the store runs */
export function readFront(name: string, deploy: string, machine: Machine): () => void {
  const wanted = caddyfileOf(name, deploy)
  return () => {
    if (!existsSync(CADDY)) machine.run('apt-get', 'install', '--yes', 'caddy')
    const present = existsSync(CADDYFILE) ? readFileSync(CADDYFILE, 'utf8') : ''
    if (present !== '' && !STOCK.test(present) && !isOurs(present, deploy)) {
      if (present.includes(name)) return machine.say(`${CADDYFILE} is yours and was not changed.`)
      const [, ...lines] = wanted.split('\n')
      machine.say(`${CADDYFILE} is yours and was not changed. Add this to it, then run: systemctl reload caddy`)
      return machine.say(lines.join('\n').trim())
    }
    machine.directory(path.dirname(CADDYFILE), 0o755)
    if (STOCK.test(present)) machine.write(KEPT, present)
    machine.write(CADDYFILE, wanted)
    machine.run('caddy', 'validate', '--config', CADDYFILE)
    machine.run('systemctl', 'enable', '--now', 'caddy')
    machine.run('systemctl', 'reload', 'caddy')
  }
}

/** @returns the step that writes samples for a web server that is here already, and says what to do with them */
export const readSamples = (name: string, deploy: string, place: string, machine: Machine) => (): void => {
  const files = SAMPLES.map((sample) => path.join(place, sample))
  for (const [n, file] of files.entries())
    machine.write(file, readFileSync(path.join(deploy, SAMPLES[n]!), 'utf8').replace(SAMPLE, name))
  machine.say(`Now let your web server pass ${name} on to the store. Samples: ${files.join(', ')}`)
}

export function removeFront(deploy: string, machine: Machine): void {
  if (!existsSync(CADDYFILE)) return
  if (!isOurs(readFileSync(CADDYFILE, 'utf8'), deploy)) return machine.say(`Kept: ${CADDYFILE}, which is yours.`)
  if (!existsSync(KEPT)) {
    machine.remove(CADDYFILE)
    return machine.run('systemctl', 'stop', 'caddy')
  }
  machine.write(CADDYFILE, readFileSync(KEPT, 'utf8'))
  machine.remove(KEPT)
  machine.run('systemctl', 'reload-or-restart', 'caddy')
}
