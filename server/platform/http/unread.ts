/**
 * Cuts off peers that take nothing of a large answer. Node hands an answer to the kernel, which keeps it until the peer
 * has taken it, without a time limit and also after the connection is closed. Who takes a little of it stays.
 */
import { readFile } from 'node:fs/promises'
import type { AddressInfo, Server, Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** As little as any open connection costs. So an event stream lives on while its phone sleeps. */
const LITTLE_BYTES = 16 * 1024
/** Through a proxy, a reader of 1 kB a second is seen to take 64 kB once a minute. */
const PATIENCE_MS = 65_000
/** With this much unread in all, somebody attacks, and the patience is shorter: a reader needs 3 kB a second. */
const PLENTY_BYTES = 16 * 1024 * 1024
const SHORT_PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 2_000
/** Most peers have taken their answers by then. */
const LEAVING_MS = 500

interface Line {
  socket: Socket
  /** Bytes that the peer is known to have taken. */
  taken: number
  /** When the peer was last seen to take some, or to have little left. */
  movedAt: number
  /** True if the connection is to be closed as soon as the peer has taken its answers. */
  isLeaving: boolean
}

/** What Node knows of a connection beside its streams. */
type Handle = { bytesWritten: number; writeQueueSize: number; readStop(): void } | null | undefined
const handleOf = (socket: Socket): Handle => (socket as { _handle?: Handle })._handle

/** Linux alone says what the kernel keeps. Elsewhere nothing is cut off. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']

export function cutUnread(
  server: Server,
  { patienceMs = PATIENCE_MS, shortPatienceMs = SHORT_PATIENCE_MS, lookEveryMs = LOOK_EVERY_MS } = {},
): void {
  if (process.platform !== 'linux') return
  // A server that ends has no address any more, and connections still
  let port = 0
  server.on('listening', () => ({ port } = server.address() as AddressInfo))
  const lines = new Map<string, Line>()
  const untaken = ({ socket, taken }: Line) => (handleOf(socket)?.bytesWritten ?? 0) - taken

  const look = async () => {
    const now = performance.now()
    const large: { key: string; line: Line; queued: number; sent: number }[] = []
    for (const [key, line] of lines) {
      const { bytesWritten = 0, writeQueueSize: queued = 0 } = handleOf(line.socket) ?? {}
      if (line.isLeaving || untaken(line) > LITTLE_BYTES) large.push({ key, line, queued, sent: bytesWritten - queued })
      else line.movedAt = now
    }
    if (large.length === 0) return
    const kept = await readKept(port)
    const unread = large.map(({ key, line, queued, sent }) => {
      const inKernel = kept.get(key) ?? 0
      const left = queued + inKernel
      // May be less than the truth, because more may have been sent before the table was read
      const taken = sent - inKernel
      if (taken > line.taken || left <= LITTLE_BYTES) line.movedAt = now
      line.taken = Math.max(line.taken, taken)
      return { line, left }
    })
    const isPlenty = unread.reduce((sum, { left }) => sum + left, 0) > PLENTY_BYTES
    for (const { line, left } of unread) {
      if (line.isLeaving && left <= LITTLE_BYTES) line.socket.destroy()
      else if (now - line.movedAt >= (isPlenty ? shortPatienceMs : patienceMs)) line.socket.resetAndDestroy()
    }
  }

  let isLooking = false
  const lookOnce = () => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => (isLooking = false))
  }
  const timer = setInterval(lookOnce, lookEveryMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
  let leaving: NodeJS.Timeout | undefined
  const lookSoon = () => {
    leaving ??= setTimeout(() => {
      leaving = undefined
      lookOnce()
    }, LEAVING_MS)
  }

  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket)
    if (key === undefined) return
    const line: Line = { socket, taken: 0, movedAt: performance.now(), isLeaving: false }
    lines.set(key, line)
    socket.once('close', () => lines.get(key) === line && lines.delete(key))
    const destroy = socket.destroy.bind(socket)
    // Nobody can cut off what the kernel still keeps after the close, so a large answer is first taken
    socket.destroy = (error) => {
      const resetting = socket as { resetAndClosing?: boolean }
      if (error && untaken(line) > LITTLE_BYTES) resetting.resetAndClosing = true
      if (error || resetting.resetAndClosing || untaken(line) <= LITTLE_BYTES) return destroy(error)
      if (line.isLeaving) return socket
      line.isLeaving = true
      handleOf(socket)?.readStop()
      lookSoon()
      return socket.end()
    }
  })
}

/** The peer's address in bytes, as hexadecimal digits, and its port. */
function keyOf({ remoteAddress, remotePort }: Socket): string | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined
  return `${Buffer.from(ipaddr.process(remoteAddress).toByteArray()).toString('hex')}:${remotePort}`
}

const IPV4_IN_IPV6 = /^0{20}ffff(?=.{8}$)/

/** @returns the bytes that the kernel keeps for the peers of this port, by their keys */
export async function readKept(port: number): Promise<Map<string, number>> {
  const here = port.toString(16).toUpperCase().padStart(4, '0')
  // Local address, peer, state, then the bytes that the peer has not taken, if there are any
  const rows = new RegExp(String.raw`: [\dA-F]+:${here} ([\dA-F]+):([\dA-F]+) [\dA-F]+ (?!0{8})([\dA-F]+):`, 'g')
  const kept = new Map<string, number>()
  for (const table of TABLES) {
    // A machine without IPv6 has one table only
    for (const [, words = '', peerPort = '', bytes = ''] of (await readFile(table, 'utf8').catch(() => '')).matchAll(
      rows,
    )) {
      // Each word of four bytes is written from its last byte on
      const address = words.toLowerCase().replaceAll(/(..)(..)(..)(..)/g, '$4$3$2$1')
      kept.set(`${address.replace(IPV4_IN_IPV6, '')}:${Number.parseInt(peerPort, 16)}`, Number.parseInt(bytes, 16))
    }
  }
  return kept
}
