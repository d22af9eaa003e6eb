import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Connections } from './connections.ts'
import { PrimaryClient } from './connecting/primary.ts'

/** Longer, because no caller waits for a listener and a starting process is busy. */
const LISTEN_CONNECT_TIMEOUT_MS = 5_000
const RECONNECT_DELAY_MS = 500

/** Listens on a connection of its own until `signal` aborts, and reconnects automatically. */
export function listen(
  { settings, listeners, onLost, giveUp }: Connections,
  channel: string,
  onMessage: (payload: string) => void,
  signal: AbortSignal,
  onListening: () => void = () => {},
): void {
  const { connectionTimeoutMillis: connectTimeoutMs } = settings
  const connect = async (): Promise<void> => {
    while (!signal.aborted) {
      const client = new PrimaryClient({
        ...settings,
        connectionTimeoutMillis: Math.max(connectTimeoutMs, LISTEN_CONNECT_TIMEOUT_MS),
      })
      let stop = () => {}
      const ended = new Promise<void>((resolve) => {
        stop = resolve
        client.on('error', stop)
        client.on('end', stop)
        signal.addEventListener('abort', stop, { once: true })
      })
      client.on('notification', (message) => onMessage(message.payload ?? ''))
      try {
        await client.connect()
        await client.query(`listen "${channel.replaceAll('"', '""')}"`)
        onListening()
        const check = () =>
          void client.query({ text: 'select', query_timeout: connectTimeoutMs } as pg.QueryConfig).catch(stop)
        listeners.add(check)
        await ended
        listeners.delete(check)
      } catch (error) {
        onLost(error as Error)
      }
      signal.removeEventListener('abort', stop)
      const over = client.end().catch(onLost)
      if (!signal.aborted) giveUp(client)
      await over
      if (!signal.aborted) await sleep(RECONNECT_DELAY_MS)
    }
  }
  void connect()
}
