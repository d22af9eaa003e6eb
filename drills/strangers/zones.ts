/** A buyer whose browser keeps naming its time zone in new capitals. */
import { Agent } from 'node:http'
import { residentMb } from '../process-figures.ts'
import { send } from '../send.ts'
import type { Scenario } from './scenario.ts'

const GROWN_MB_MAX = 10
const ZONES = ['America/Argentina/Buenos_Aires', 'America/North_Dakota/New_Salem', 'Antarctica/DumontDUrville']

export const changeZones: Scenario = async ({ store, shop, quick }) => {
  const spellings = quick ? 1_000 : 10_000
  const [buyer] = shop.buyers
  if (!buyer) throw new Error('No buyer')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const visit = async (zone: string) => {
    const cookie = `${buyer.cookie}; zone=${zone}`
    const { status } = await send({ port: store.port, method: 'GET', path: '/wallet-history', cookie, agent })
    if (status !== 200) throw new Error(`A page was answered with ${status}`)
  }
  // Sends as many pages of one zone first, so that their cost isn't counted for the spellings
  for (let n = 0; n < spellings; n++) await visit('Asia/Kolkata')
  const before = residentMb(store.pid)
  for (let n = 0; n < spellings; n++) await visit(spell(ZONES[n % ZONES.length] ?? '', n))
  const grownMb = residentMb(store.pid) - before
  agent.destroy()
  return [{ what: `${spellings} spellings of a zone: memory grows by`, value: grownMb, goal: GROWN_MB_MAX, unit: 'MB' }]
}

/** Returns the name with the nth letter in capitals where the nth bit of the number is set. */
function spell(name: string, number: number): string {
  let letters = 0
  return name.replaceAll(/[a-z]/gi, (letter) =>
    (number >> (letters++ % 24)) & 1 ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
