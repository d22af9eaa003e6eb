/** Finds the paths of the embedded database and its socket. */
import { mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'

export const PORT = 5432
/** The kernel's limit for a socket's path, which on macOS is lower. */
const SOCKET_PATH_BYTES_MAX = process.platform === 'darwin' ? 103 : 107

/** Resolves links, because the directory's name identifies the server. Creates its parents. */
export function realPath(dataDir: string): string {
  const absolute = path.resolve(dataDir)
  mkdirSync(path.dirname(absolute), { recursive: true })
  try {
    return realpathSync(absolute)
  } catch {
    return path.join(realpathSync(path.dirname(absolute)), path.basename(absolute))
  }
}

export const socketIn = (directory: string): string => path.join(directory, `.s.PGSQL.${PORT}`)

/**
 * Returns the directory of the socket: next to the data directory, or in /tmp if the path would be too long. Does not
 * use os.tmpdir(), because every process that uses this data directory must find the same place.
 */
export function socketDirectory(dataDir: string, clusterName: string): string {
  const near = `${dataDir}.run`
  return Buffer.byteLength(socketIn(near)) <= SOCKET_PATH_BYTES_MAX ? near : `/tmp/${clusterName}`
}
