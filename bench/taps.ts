/**
 * `npm run bench -- taps [words of a task …]`, and the end of `npm run bench -- paint`: how long the 20 most frequent
 * taps and letters take until the screen answers (INP), on a phone's screen with a 4 × slower processor; RUNS=3 times
 * each. What moved without a tap is counted, and each frame over 50 ms is named with what ran in it.
 */
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { logInToDemo, startDemoStore } from '../scripts/demo-store.ts'
import { median } from './report.ts'
import { launchBrowser, onSlowPhone, RUNS, SETTLE_MS } from './slow-phone.ts'

/** Before a tap the page must have rested for so long: what it still had to do is measured by `paint`. */
const REST_MS = 500
const REST_WITHIN_MS = 30_000
const P75_MAX_MS = 100
const WORST_MAX_MS = 200
const CAUSES_SHOWN = 3

type Act = (page: Page) => Promise<void>

interface Task {
  name: string
  as: 'buyer' | 'admin'
  path: string
  /** What comes first, unmeasured. */
  first?: Act
  act: Act
}

const tap =
  (find: (page: Page) => Locator): Act =>
  (page) =>
    find(page).filter({ visible: true }).first().tap()
const button = (name: string | RegExp) => tap((page) => page.getByRole('button', { name }))
const type =
  (find: (page: Page) => Locator, text: string): Act =>
  async (page) => {
    await find(page).filter({ visible: true }).first().focus()
    await page.keyboard.type(text)
  }
const tab = (name: string) => tap((page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }))
const searchOf = (page: Page) => page.getByRole('main').getByRole('search').getByRole('textbox')
const BUY = '/buy?product=Paper+Kingdoms'

const TASKS: Task[] = [
  { name: 'Add Money opens', as: 'buyer', path: '/', act: button('Add Money') },
  { name: 'Add Money closes', as: 'buyer', path: '/', first: button('Add Money'), act: button('Close') },
  { name: 'an amount is chosen', as: 'buyer', path: '/', first: button('Add Money'), act: button(/^₹500/) },
  { name: 'home: a letter of a search', as: 'buyer', path: '/', act: type(searchOf, 'p') },
  { name: 'home: the menu opens', as: 'buyer', path: '/', act: button('Menu') },
  { name: 'home: the other theme', as: 'buyer', path: '/', act: button(/^Switch to/) },
  { name: 'from home to Buy Key', as: 'buyer', path: '/', act: tab('Buy Key') },
  { name: 'from home to My Key', as: 'buyer', path: '/', act: tab('My Key') },
  { name: 'a duration is chosen', as: 'buyer', path: BUY, act: tap((page) => page.locator('label:has([type=radio])')) },
  { name: 'one key more', as: 'buyer', path: BUY, act: button('Increase') },
  {
    name: 'My Key: an order opens',
    as: 'buyer',
    path: '/my-key',
    act: tap((page) => page.getByRole('main').locator('summary')),
  },
  { name: 'My Key: a key is copied', as: 'buyer', path: '/my-key', act: button(/^Copy /) },
  {
    name: 'Wallet History: a filter',
    as: 'buyer',
    path: '/wallet-history',
    act: (page) => page.getByRole('main').getByRole('button', { pressed: false }).first().tap(),
  },
  { name: 'panel: the menu opens', as: 'admin', path: '/admin', act: button('Menu') },
  { name: 'panel: quick search opens', as: 'admin', path: '/admin', act: button(/^Search/) },
  {
    name: 'Payments: another filter',
    as: 'admin',
    path: '/admin/payment-manager',
    first: button(/^Filters/),
    act: button('Approved'),
  },
  { name: 'Payments: More opens', as: 'admin', path: '/admin/payment-manager', act: button(/^More: /) },
  { name: 'Payments: approve', as: 'admin', path: '/admin/payment-manager', act: button(/^Approve ₹/) },
  { name: 'Users: a letter of a search', as: 'admin', path: '/admin/user-manager', act: type(searchOf, 'a') },
  { name: 'Keys: Add keys opens', as: 'admin', path: '/admin/key-manager', act: button(/^Add keys/) },
]

/** What one run of a task measured. */
interface Taken {
  inpMs: number
  /** What the longest piece of work took of the processor. Other programs on the machine hardly change it. */
  taskMs: number
  cls: number
  frames: { ms: number; ran: string }[]
}

/** A frame's longest script is its cause, or else style and layout. */
const OBSERVE = `
  globalThis.taken = { inpMs: 0, cls: 0, frames: [] }
  globalThis.from = Infinity
  globalThis.busyAt = 0
  const watch = (type, note, more) =>
    new PerformanceObserver((list) => list.getEntries().filter((entry) => entry.startTime >= from).forEach(note))
      .observe({ type, ...more })
  watch('event', (entry) => {
    if (entry.interactionId > 0) taken.inpMs = Math.max(taken.inpMs, entry.duration)
  }, { durationThreshold: 16 })
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) taken.cls += entry.value })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) busyAt = Math.max(busyAt, startTime + duration)
  }).observe({ type: 'longtask', buffered: true })
  watch('long-animation-frame', (entry) => {
    const [most] = entry.scripts.toSorted((one, other) => other.duration - one.duration)
    const layoutMs = most?.forcedStyleAndLayoutDuration ?? 0
    const file = most?.sourceURL.split('/').pop()
    const ran = most && most.duration > entry.duration / 3
      ? Math.round(most.duration) + ' ms ' + most.invoker + ' in ' + (most.sourceFunctionName || '?') + ' of ' + file +
        (layoutMs > 10 ? ', ' + Math.round(layoutMs) + ' ms layout' : '')
      : 'style, layout and paint ' + Math.round(entry.startTime + entry.duration - entry.styleAndLayoutStart) + ' ms'
    taken.frames.push({ ms: Math.round(entry.duration), ran })
  })`

/** Waits until the page was left alone for REST_MS: its scripts have come, and none of them has more to do. */
async function rest(page: Page): Promise<void> {
  await sleep(SETTLE_MS)
  const since = Date.now()
  while ((await page.evaluate<number>('performance.now() - globalThis.busyAt')) < REST_MS) {
    if (Date.now() - since > REST_WITHIN_MS) throw new Error('the page never rests')
    await sleep(REST_MS / 2)
  }
}

/** "17.9 for 2 processors": above one each, all times but those of the processor are too long. */
const loadText = () => `${loadavg()[0]?.toFixed(1)} for ${cpus().length} processors`

const TRACED = ['disabled-by-default-devtools.timeline', '__metadata']

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds of the processor. */
  tdur?: number
  args?: { name?: string }
}

/** @param trace of Chromium. @returns ms of the longest piece of work between two frames or events */
function longestTaskMs(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const idOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const drawing = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(idOf),
  )
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && drawing.has(idOf(event)))
  return Math.round(Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1_000)
}

export async function bench(words: string[]): Promise<void> {
  const tasks = TASKS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  const store = await startDemoStore()
  const browser = await launchBrowser()
  try {
    const cookies = { buyer: await logInToDemo(store.url, 'buyer'), admin: await logInToDemo(store.url, 'admin') }
    console.log(`load of this machine: ${loadText()}`)
    console.log(
      'INP in ms: median (min to max)'.padEnd(32),
      'ms'.padStart(18),
      '    CLS',
      '  longest task, ms of the processor',
    )
    const medians: number[] = []
    const causes: string[] = []
    for (const task of tasks) {
      const runs: Taken[] = []
      try {
        for (let run = 0; run < RUNS; run++) runs.push(await take(browser, store.url, cookies[task.as], task))
      } catch (error) {
        console.log(`✗ ${task.name}: ${String((error as Error).cause).split('\n')[0]}`)
        medians.push(Infinity)
        continue
      }
      const inps = runs.map(({ inpMs }) => inpMs)
      medians.push(median(inps))
      const cls = median(runs.map((each) => each.cls))
      console.log(
        `${median(inps) > WORST_MAX_MS || cls > 0 ? '✗' : ' '} ${task.name}`.padEnd(32),
        `${median(inps)} (${Math.min(...inps)} to ${Math.max(...inps)})`.padStart(18),
        `  ${cls.toFixed(3)}`,
        String(median(runs.map((each) => each.taskMs))).padStart(5),
      )
      const frames = runs.flatMap((each) => each.frames).toSorted((one, other) => other.ms - one.ms)
      causes.push(...frames.slice(0, CAUSES_SHOWN).map(({ ms, ran }) => `  ${task.name}: frame of ${ms} ms, ${ran}`))
    }
    const sorted = medians.toSorted((one, other) => one - other)
    const p75 = sorted[Math.ceil(sorted.length * 0.75) - 1] ?? Number.NaN
    const worst = sorted.at(-1) ?? Number.NaN
    console.log(`\nFrames over 50 ms, at most ${CAUSES_SHOWN} a task:\n${causes.join('\n') || '  none'}`)
    console.log(`load of this machine: ${loadText()}`)
    const isMet = p75 <= P75_MAX_MS && worst <= WORST_MAX_MS
    console.log(
      `\ngoal ${isMet ? 'met' : 'missed'}: p75 ${p75} ms (≤ ${P75_MAX_MS}), worst ${worst} ms (≤ ${WORST_MAX_MS})`,
    )
  } finally {
    await browser.close()
    await store.stop()
  }
}

async function take(browser: Browser, url: string, cookie: string, { name, path, first, act }: Task): Promise<Taken> {
  const permissions = ['clipboard-read', 'clipboard-write']
  try {
    const opened = { url: `${url}${path}`, cookie, observe: OBSERVE, permissions }
    return await onSlowPhone(browser, opened, async (page) => {
      await rest(page)
      if (first) {
        await first(page)
        await rest(page)
      }
      await page.evaluate('globalThis.from = performance.now()')
      await browser.startTracing(page, { categories: [...TRACED] })
      await act(page)
      await rest(page)
      const taken = await page.evaluate<Omit<Taken, 'taskMs'>>('globalThis.taken')
      return { ...taken, taskMs: longestTaskMs(await browser.stopTracing()) }
    })
  } catch (error) {
    throw new Error(`“${name}” could not be measured`, { cause: error })
  }
}
