/**
 * `npm run bench -- paint [/ /login …]`: when the largest part of a page is on a cheap phone's screen: as served, with
 * its data but not drawn, and in each other language, which may take a tenth longer. Cold, over a line of 150 ms and
 * 1.6 Mbit/s that makes every connection shake hands (TCP, TLS), 4 × slower processor; RUNS=3 times each, in turn.
 * Without a page named, the taps of taps.ts follow.
 */
import http from 'node:http'
import net from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { LANGUAGE_CODES, type Language } from '../contract/languages.ts'
import { logInToDemo, startDemoStore } from '../scripts/demo-store.ts'
import { freePort } from '../scripts/store-process.ts'
import { median } from './report.ts'
import { launchBrowser, onSlowPhone, RUNS } from './slow-phone.ts'
import { bench as benchTaps } from './taps.ts'

const RTT_MS = 150
const LINE_BITS_PER_S = 1_638_400
type Way = 'served' | 'undrawn'

interface Page {
  path: string
  as?: 'buyer' | 'admin'
  goalMs: number
}

const PAGES: Page[] = [
  { path: '/', goalMs: 1_000 },
  { path: '/login', goalMs: 1_000 },
  { path: '/signup', goalMs: 1_000 },
  { path: '/terms-policy', goalMs: 1_000 },
  { path: '/', as: 'buyer', goalMs: 1_700 },
  { path: '/buy', as: 'buyer', goalMs: 1_700 },
  { path: '/my-key', as: 'buyer', goalMs: 1_700 },
  { path: '/wallet-history', as: 'buyer', goalMs: 1_700 },
  { path: '/admin', as: 'admin', goalMs: 2_200 },
]

/** A page in another language may take so much longer than in English. */
const LANGUAGE_SHARE_MAX = 1.1
const LOOKS: { name: string; way: Way; language: Language }[] = [
  { name: 'served', way: 'served', language: 'en' },
  { name: 'undrawn', way: 'undrawn', language: 'en' },
  ...LANGUAGE_CODES.filter((code) => code !== 'en').map((code) => ({
    name: code,
    way: 'served' as const,
    language: code,
  })),
]

interface Paint {
  lcpMs: number
  cls: number
  /** The sum of what tasks take beyond 50 ms. */
  blockedMs: number
}

export async function bench(args: string[]): Promise<void> {
  const pages = PAGES.filter(({ path }) => args.length === 0 || args.includes(path))
  const store = await startDemoStore()
  const browser = await launchBrowser()
  const storePort = Number(new URL(store.url).port)
  const lines = { served: await deliver('served', storePort), undrawn: await deliver('undrawn', storePort) }
  try {
    const cookies = { buyer: await logInToDemo(store.url, 'buyer'), admin: await logInToDemo(store.url, 'admin') }
    console.log(
      'LCP in ms: median (min to max)'.padEnd(32),
      ...LOOKS.map(({ name }) => name.padStart(22)),
      '  CLS  blocked ms',
    )
    for (const { path, as, goalMs } of pages) {
      const paints = LOOKS.map((): Paint[] => [])
      for (let run = 0; run < RUNS; run++) {
        for (const [index, { way, language }] of LOOKS.entries()) {
          const languages = `chaabi_language=${language}; chaabi_panel_language=${language}`
          const cookie = as ? `${cookies[as]}; ${languages}` : languages
          paints[index]?.push(await paint(browser, `http://localhost:${lines[way].port}${path}`, cookie))
        }
      }
      const [served = [], , ...translated] = paints
      const isLate =
        lcpOf(served) > goalMs || translated.some((each) => lcpOf(each) > lcpOf(served) * LANGUAGE_SHARE_MAX)
      console.log(
        `${isLate ? '✗' : ' '} ${path}${as ? ` (${as})` : ''}`.padEnd(32),
        ...paints.map((each) => spread(each.map(({ lcpMs }) => lcpMs)).padStart(22)),
        `  ${median(served.map(({ cls }) => cls)).toFixed(3)}  ` +
          median(served.map(({ blockedMs }) => blockedMs)).toFixed(0),
      )
    }
  } finally {
    await browser.close()
    for (const line of Object.values(lines)) line.close()
    await store.stop()
  }
  if (args.length === 0) await benchTaps([])
}

const OBSERVE = `
  globalThis.seen = { lcpMs: 0, cls: 0, blockedMs: 0 }
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  watch('largest-contentful-paint', (entry) => { seen.lcpMs = entry.startTime })
  watch('layout-shift', (entry) => { seen.cls += entry.value })
  watch('longtask', (entry) => { seen.blockedMs += entry.duration - 50 })`

const paint = (browser: Browser, url: string, cookie: string): Promise<Paint> =>
  onSlowPhone(browser, { url, cookie, observe: OBSERVE }, (page) =>
    page.evaluate(() => (globalThis as unknown as { seen: Paint }).seen),
  )

interface Line {
  port: number
  close(): void
}

/** The store in one way of delivery, at the far end of a slow line. */
async function deliver(way: Way, storePort: number): Promise<Line> {
  const front = http.createServer((request, answer) => {
    const isPage = request.headers['sec-fetch-dest'] === 'document' || request.headers.accept?.startsWith('text/html')
    const headers = { ...request.headers, ...(isPage && { 'accept-encoding': 'identity' }) }
    const onwards = http.request(
      { port: storePort, host: 'localhost', method: request.method, path: request.url, headers },
      (got) => {
        if (!isPage) {
          answer.writeHead(got.statusCode ?? 502, got.headers)
          got.pipe(answer)
          return
        }
        const chunks: Buffer[] = []
        got.on('data', (chunk: Buffer) => chunks.push(chunk))
        got.on('end', () => {
          const html = asDelivered(way, Buffer.concat(chunks).toString())
          // As the store itself does it
          const body = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
          const { 'transfer-encoding': _, 'content-length': __, ...rest } = got.headers
          answer.writeHead(got.statusCode ?? 502, { ...rest, 'content-encoding': 'br', 'content-length': body.length })
          answer.end(body)
        })
      },
    )
    onwards.on('error', () => answer.destroy())
    request.pipe(onwards)
  })
  const frontPort = await freePort()
  await new Promise<void>((resolve) => front.listen(frontPort, 'localhost', resolve))

  const down = pace()
  const up = pace()
  const slow = net.createServer((near) => {
    const far = net.connect(frontPort, 'localhost')
    // What a browser sends first has waited for the handshakes of TCP and TLS.
    const openAt = performance.now() + 2 * RTT_MS
    pass(near, far, up, openAt)
    pass(far, near, down, 0)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => slow.listen(port, 'localhost', resolve))
  return {
    port,
    close() {
      slow.close()
      front.close()
      front.closeAllConnections()
    },
  }
}

const PACKET_BYTES = 1_460

/** One direction of a line, shared by all connections: when what is sent now has got through. */
function pace(): (bytes: number) => number {
  let freeAt = 0
  return (bytes) => {
    freeAt = Math.max(freeAt, performance.now()) + (bytes * 8 * 1_000) / LINE_BITS_PER_S
    return freeAt + RTT_MS / 2
  }
}

/** Passes on packets when they have got through the line, which answers of one moment share. */
function pass(from: net.Socket, to: net.Socket, arrival: (bytes: number) => number, notBefore: number): void {
  const way: { at: number; packet: Buffer | null }[] = []
  const deliverDue = () => {
    while (way[0] && way[0].at <= performance.now()) {
      const { packet } = way.shift() ?? {}
      if (packet && to.writable) to.write(packet)
      else if (!packet) to.end()
    }
    if (way[0]) setTimeout(deliverDue, way[0].at - performance.now())
  }
  const send = (packet: Buffer | null) => {
    way.push({ at: Math.max(arrival(packet?.length ?? 0), notBefore), packet })
    if (way.length === 1) setTimeout(deliverDue, Math.max(0, (way[0]?.at ?? 0) - performance.now()))
  }
  from.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += PACKET_BYTES) send(chunk.subarray(at, at + PACKET_BYTES))
  })
  from.on('end', () => send(null))
  from.on('error', () => to.destroy())
}

function asDelivered(way: Way, html: string): string {
  if (way === 'served') return html
  return (
    html
      .replace(/<div id="root">[\s\S]*<\/div>(?=\s*<script type="application\/json")/, '<div id="root"></div>')
      // Its scripts then wait for nothing
      .replace(/<template id="scripts">([\s\S]*?)<\/template>/, '$1')
      .replace(/<script>\s*\{[\s\S]*?<\/script>/, '')
  )
}

function lcpOf(paints: readonly Paint[]): number {
  return median(paints.map(({ lcpMs }) => lcpMs))
}

function spread(values: number[]): string {
  return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`
}
