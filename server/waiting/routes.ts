import type { waiting } from '../../contract/waiting.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import type { StockHooks } from '../keys/hooks.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Job } from '../platform/jobs.ts'
import type { Services } from '../platform/services.ts'
import { readFetch, takeFetch } from './fetches.ts'
import { leavePlace, listEndedPlaces, listOwnPlaces, takePlace } from './places.ts'
import { readDemand } from './read-demand.ts'
import { isAwaited, serveQueue } from './serve-queue.ts'
import { readWaitingSettings, saveWaitingSettings } from './settings.ts'
import { moveQueues, tellArrival } from './tell-queue.ts'

export const waitingRoutes = ({ db, events }: Services): Handlers<typeof waiting> => ({
  async wait({ fetch, autoMax, ...wish }, { user, idempotencyKey: requestKey, now }) {
    const by = { userId: user.id, now }
    if (!fetch || autoMax === undefined) return takePlace(db, { ...wish, autoMax }, by)
    const place = await takeFetch(db, { ...wish, autoMax }, { ...by, requestKey })
    events.publish({ to: 'admins', name: 'wanted' })
    return place
  },
  mine: (_, { user, now }) => listOwnPlaces(db, user.id, now),
  ended: (_, { user, now }) => listEndedPlaces(db, user.id, now),
  fetch: async (_, { user, now }) => ({ fetch: await readFetch(db, user.id, now) }),
  leave: async ({ id }, { user, now }) => {
    await leavePlace(db, id, { userId: user.id, now })
    return { message: 'You left the waiting list.' }
  },
  demand: (page, { now }) => readDemand(db, page, now),
  settings: () => readWaitingSettings(db),
  saveSettings: (change, call) => saveWaitingSettings(db, change, call),
})

export const stockHooks = ({ db }: Services): StockHooks => ({
  isAwaited: (arrival) => isAwaited(db, arrival),
  serve: serveQueue,
  arrived: tellArrival,
})

export const waitingJobs = ({ db }: Pick<Services, 'db'>): Job[] => [
  { name: 'waiting', nextAfter: (now) => new Date(now.getTime() + MINUTE_MS), run: (now) => moveQueues(db, now) },
]
