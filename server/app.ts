/** Puts services, features and HTTP together as one store. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { api } from '../contract/api.ts'
import { findDevice } from './bank/phones/devices.ts'
import { followPayments } from './bank/matching/follow-payments.ts'
import { followInvites } from './referrals/invites/pay.ts'
import { MAIL_TIMES } from './messages/channels/email.ts'
import { TELEGRAM_API_URL } from './messages/telegram/telegram.ts'
import type { Reach } from './messages/channels/reach.ts'
import { pictureSource } from './pictures/read-picture.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/database.ts'
import { createEvents } from './platform/events.ts'
import { createSnapshotCache } from './platform/database/snapshot-cache.ts'
import { createMetrics, type Metrics } from './platform/watching/metrics.ts'
import { measureProcess } from './platform/watching/process-metrics.ts'
import { cookieIn } from './platform/http/cookies.ts'
import { createHttp, visit, type HttpOptions } from './platform/http/http.ts'
import { servePictures } from './platform/http/pages/kept-pictures.ts'
import { linkedProduct } from './catalogue/linked-product.ts'
import { servePages } from './platform/http/pages/pages.ts'
import { rateLimits } from './platform/rate-limits.ts'
import { overloaded } from './platform/load/overload.ts'
import type { Sealer } from './platform/secrets/sealing.ts'
import { createOutbound } from './platform/outbound.ts'
import type { Services } from './platform/services.ts'
import { handlersOf } from './features.ts'
import { chooseLanguage, pageLanguage } from './page-language.ts'
import { readPageData, withoutLoggedOut } from './page-data.ts'
import { demoPages, inDemo, type DemoExtras } from './demo/pages.ts'
import { untrustedProxy } from './reports/health-report.ts'
import { bothOf, type Examination } from './reports/health-report.ts'
import { securityText } from './settings/security-text.ts'
import { measureStore } from './reports/store-metrics.ts'
import { knowDevice } from './platform/http/device-cookie.ts'
import { authenticator } from './sessions/authenticate.ts'
import { tokenFinder } from './users/access/find-token.ts'
import { triesOf } from './sessions/known-devices.ts'

interface AppOptions {
  db: Database
  clock: Clock
  sealer: Sealer
  log: Logger
  rateLimitScale: number
  secure: boolean
  publicOrigin: string | undefined
  /** Servers of this machine that a test's store calls instead of others'. */
  testOrigins?: readonly string[]
  telegramUrl?: string | undefined
  trustProxy: string[] | boolean
  /** The operator's token for the metrics. */
  metricsToken?: string | undefined
  ownDisk?: Services['ownDisk']
  /** Adds figures about what protects the store. */
  measure?: (metrics: Metrics) => void
  /** Returns the faults and warnings of this moment, in addition to the nightly check. */
  notices?: () => Promise<Examination>
  /** The built web pages. Tests of the API have none. */
  webDirectory?: string
  /** Set only in the demo. */
  demo?: Pick<DemoExtras, 'statement' | 'mails' | 'origin'>
  /** True in tests, to check every answer against the contract. */
  strict: boolean
}

export interface App {
  http: FastifyInstance
  services: Services
  /** How messages go out. */
  reach: Reach
  /**
   * Sends callers elsewhere for long enough that a load balancer notices. Health says no, event streams end, and each
   * answer closes its connection. Requests are still served.
   */
  drain(forMs: number): Promise<void>
  close(): Promise<void>
}

const EVENTS_PATH = `/api${api.reports.events.path}`
const DURATIONS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const HEALTH_PATH = `/api${api.reports.health.path}`

/** Says where to report a hole, if the owner has named a place. */
function serveSecurityText(http: App['http'], { db, clock }: AppOptions): void {
  http.get('/.well-known/security.txt', async (_, reply) => {
    const text = await securityText(db, clock.now())
    return text === undefined ? reply.callNotFound() : reply.type('text/plain; charset=utf-8').send(text)
  })
}

function followMoney(services: Services, log: AppOptions['log']): void {
  followPayments(services, (err) => log.error({ err }, 'the bank inbox failed after a payment'))
  followInvites(services, (err) => log.error({ err }, 'invitations failed after a payment'))
}

export async function createApp(options: AppOptions): Promise<App> {
  const { db, clock, sealer, log } = options
  const ended = new AbortController()
  const events = createEvents(db, ended.signal, (err) => log.error({ err }, 'a listener failed'))
  const metrics = createMetrics()
  const limits = rateLimits(db, options.rateLimitScale, clock)
  const { ownDisk } = options
  const services: Services = { db, clock, sealer, events, metrics, limits, ownDisk, ended: ended.signal }
  measureProcess(metrics, db, log, ended.signal)
  measureStore(services)
  options.measure?.(metrics)
  /** Faults of the setup that this node has noticed. */
  let faults: Examination | undefined
  followMoney(services, log)
  const reach: Reach = {
    outbound: createOutbound(options.testOrigins),
    telegramUrl: options.telegramUrl ?? TELEGRAM_API_URL,
    publicOrigin: options.publicOrigin ?? options.demo?.origin,
    mailTimes: MAIL_TIMES,
    demoMails: options.demo?.mails,
  }
  const noticesNow = async () => bothOf(faults, await options.notices?.())
  const all = handlersOf(services, reach, noticesNow)
  const handlers = options.demo ? { ...all, ...inDemo(all) } : all
  const httpOptions: HttpOptions = {
    api,
    handlers,
    clock,
    log,
    cache: createSnapshotCache(db),
    authenticate: authenticator(db),
    findDevice: (token) => findDevice(db, token),
    findToken: tokenFinder(db),
    limit: async (name, { address, account, cookies }) => {
      const counted = account ? await triesOf(db, name, { account, address, cookies }) : { account, address }
      return { settle: await limits(name, counted), isKnown: counted.device !== undefined }
    },
    secure: options.secure,
    publicOrigin: options.publicOrigin,
    trustProxy: options.trustProxy,
    metricsToken: options.metricsToken,
    onUntrustedProxy: (address) => void (faults = untrustedProxy(address)),
    onAnswered: measureAnswers(metrics),
    strict: options.strict,
  }
  const http = await createHttp(httpOptions)
  servePictures(http, pictureSource(db))
  serveSecurityText(http, options)
  for (const { path, headers, body } of options.demo ? demoPages(options.demo) : [])
    http.get(path, (_, reply) => reply.headers(headers).send(body()))
  if (options.webDirectory !== undefined) {
    await servePages(http, {
      directory: options.webDirectory,
      secure: options.secure,
      publicOrigin: options.publicOrigin,
      readFace: async (request, reply) => handlers.settings.site({}, await visit(request, reply, httpOptions)),
      choose: async (request, reply, path, language) => {
        const call = await visit(request, reply, httpOptions)
        const isOwn = request.headers['sec-fetch-site'] !== 'cross-site'
        await chooseLanguage(db, isOwn ? call : { ...call, user: null, admin: null }, path, language)
      },
      boot: async (request, reply, path) => {
        const call = await visit(request, reply, httpOptions)
        if (!path.startsWith('/admin')) knowDevice(call.cookies)
        const cookie = (name: string) => cookieIn(request, name)
        const search = new URLSearchParams(request.url.split('?')[1])
        const data = await readPageData(handlers, withoutLoggedOut(call, cookie), { path, search, cookie })
        const product = path === '/buy' && search.get('product')
        const subject = product ? await linkedProduct(db, call.cached, product) : undefined
        return { ...data, language: pageLanguage(call, path, data), subject }
      },
    })
  }
  return {
    http,
    services,
    reach,
    ...endingOf(http, ended),
  }
}

/** @returns a function that counts and times each answer */
function measureAnswers(metrics: Metrics): NonNullable<HttpOptions['onAnswered']> {
  const requests = metrics.counter('chaabi_http_requests_total', 'Requests, by how they were answered')
  const durations = metrics.histogram('chaabi_http_request_duration_seconds', 'How long answers took', DURATIONS_S)
  /** By method, status and route, so that labels are written out once and not for each request. */
  const figuresOf = new Map<string, { count: () => void; took: (seconds: number) => void }>()
  return ({ method, route, status, tookMs }) => {
    const key = `${method} ${status} ${route}`
    let figures = figuresOf.get(key)
    if (!figures) {
      figures = {
        count: requests.of({ method, route, status: String(status) }),
        // A stream lasts as long as its page listens
        took: route === EVENTS_PATH ? () => {} : durations.of({ method, route }),
      }
      figuresOf.set(key, figures)
    }
    figures.count()
    figures.took(tookMs / 1_000)
  }
}

/** @returns `drain`, which sends callers elsewhere, and `close`, which ends the store */
function endingOf(http: FastifyInstance, ended: AbortController): Pick<App, 'drain' | 'close'> {
  // Browsers open connections ahead. Node does not count an unused one as idle, and it would delay the end by a minute
  const unused = new Set<Socket>()
  http.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  http.server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  let draining = false
  http.addHook('onRequest', (request, reply, next) => {
    if (draining) void reply.header('connection', 'close')
    next(draining && request.url === HEALTH_PATH ? overloaded('this node ends') : undefined)
  })
  return {
    async drain(forMs) {
      draining = true
      ended.abort()
      await sleep(forMs)
      // Callers have gone elsewhere by now, and idle connections would only delay the end
      http.server.closeIdleConnections()
    },
    async close() {
      ended.abort()
      const closed = http.close()
      for (const socket of unused) socket.destroy()
      await closed
    },
  }
}
