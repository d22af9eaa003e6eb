/**
 * WebKit, the engine of Safari, as wide as a phone: Debian's MiniBrowser on a screen that nobody looks at, driven by
 * WebDriver (https://www.w3.org/TR/webdriver2/).
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebKit } from '../../scripts/find-browser.ts'
import { freePort } from '../../scripts/store-process.ts'
import { findInPage, type EngineTab, type Kind, type Plain, type Spot, type Tab } from './tab.ts'

const PHONE = { width: 390, height: 844 }
const START_MS_MAX = 30_000
/** Names an element in what WebDriver sends. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const KEYS = { Escape: '\uE00C', Enter: '\uE007' }
/** The buttons of the window would make it 447 px wide at least. */
const SMALL_BUTTONS = '* { min-width: 0; padding: 0; margin: 0; font-size: 1px }'

type Send = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<T>

export async function openWebKit({ driver, browser, display }: WebKit): Promise<EngineTab> {
  const home = await mkdtemp(path.join(tmpdir(), 'chaabi-webkit-'))
  await mkdir(path.join(home, 'gtk-3.0'))
  await writeFile(path.join(home, 'gtk-3.0', 'gtk.css'), SMALL_BUTTONS)
  const screen = spawn(display, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const port = await freePort()
  let server: ChildProcess | undefined
  const end = async () => {
    for (const each of [server, screen]) await stop(each)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const places = { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home }
    server = spawn(driver, [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, ...places, DISPLAY: `:${await firstLine(screen)}`, GDK_BACKEND: 'x11' },
    })
    const send = sender(`http://127.0.0.1:${port}`)
    const options = { binary: browser, args: ['--automation'] }
    const { sessionId } = await begin(send, { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } })
    const session = `/session/${sessionId}`
    await send('POST', `${session}/window/rect`, PHONE)
    return {
      tab: webKitTab((method, where, body) => send(method, `${session}${where}`, body)),
      async stop() {
        await send('DELETE', session).catch(() => undefined)
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

const sender =
  (origin: string): Send =>
  async (method, where, body) => {
    const answer = await fetch(`${origin}${where}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { value } = await answer.json()
    if (!answer.ok) throw new Error(`${value.error}: ${value.message} (${where})`)
    return value
  }

/** The driver listens a moment after it was started. */
async function begin(send: Send, wanted: unknown): Promise<{ sessionId: string }> {
  const until = Date.now() + START_MS_MAX
  for (;;) {
    try {
      return await send('POST', '/session', wanted)
    } catch (error) {
      if (Date.now() > until) throw error
      await sleep(100)
    }
  }
}

function webKitTab(send: Send): Tab {
  /** The function goes as text; the first argument that WebDriver adds last is where its result goes. */
  const run = <T>(work: (...args: never[]) => unknown, args: Plain[]) =>
    send<T>('POST', '/execute/sync', { script: `return (${String(work)}).apply(null, arguments)`, args })
  const spot = (id: string): Spot => ({
    press: () => send('POST', `/element/${id}/click`, {}),
    async fill(text) {
      await send('POST', `/element/${id}/click`, {})
      const element = { [ELEMENT]: id }
      await send('POST', '/execute/sync', { script: 'arguments[0].select()', args: [element] })
      await send('POST', `/element/${id}/value`, { text })
    },
  })
  return {
    goto: (url) => send('POST', '/url', { url }),
    run: (work, ...args) => run(work, args),
    async find(kind: Kind, name: string, isStart: boolean) {
      const element = await run<Record<string, string> | null>(findInPage, [kind, name, isStart])
      const id = element?.[ELEMENT]
      return id === undefined ? undefined : spot(id)
    },
    async key(name) {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[name] }))
      await send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    picture: async () => Buffer.from(await send<string>('GET', '/screenshot'), 'base64'),
  }
}

async function stop(process: ChildProcess | undefined): Promise<void> {
  if (!process || process.exitCode !== null || process.signalCode !== null) return
  const gone = new Promise((resolve) => process.once('exit', resolve))
  process.kill()
  await gone
}

/** The number of the screen that was free. */
const firstLine = (screen: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    screen.once('error', reject)
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
    screen.stdio[3]?.once('data', (text) => resolve(String(text).trim()))
  })
