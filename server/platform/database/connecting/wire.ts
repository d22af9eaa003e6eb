import type { Socket } from 'node:net'
import type pg from 'pg'

export type Asked = Pick<pg.ClientBase, 'query'>
/** Members of the driver's connection that its types do not declare. */
export interface Wired {
  processID?: number | null
  connection?: { stream: Pick<Socket, 'bytesRead' | 'writableCorked' | 'cork' | 'uncork' | 'destroy'> }
}

/** Sends the statements of one event-loop turn in one write, because a write costs more than a statement. */
export function writeTogether(client: Asked): void {
  const { stream } = (client as Wired).connection ?? {}
  if (!stream || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
