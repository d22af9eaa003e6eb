/** A watchdog of a machine, as Patroni's own tests have it: a pipe in place of /dev/watchdog. */
import { chownSync, constants, openSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { Socket } from 'node:net'
import { endLater } from '../store-process.ts'

const SAID = /Ctimeout=(\d+)\n|1|V/g

export interface Watchdog {
  /** Forgets the machine, which has ended. */
  disarm(): void
}

/** @param restart ends the machine, when Patroni as its primary said nothing for the time that it named */
export function openWatchdog(
  device: string,
  { uid, gid }: { uid: number; gid: number },
  restart: () => void,
): Watchdog {
  execFileSync('mkfifo', ['--mode=600', device])
  chownSync(device, uid, gid)
  let timeoutMs = 0
  let timer: NodeJS.Timeout | undefined
  const disarm = () => clearTimeout(timer)
  // Opened for both, so that it does not end with its writer
  const pipe = new Socket({ fd: openSync(device, constants.O_RDWR | constants.O_NONBLOCK), writable: false })
  pipe.setEncoding('utf8')
  pipe.on('data', (text: string) => {
    for (const [said, seconds] of text.matchAll(SAID)) {
      if (seconds !== undefined) timeoutMs = Number(seconds) * 1_000
      disarm()
      if (said !== 'V') timer = setTimeout(restart, timeoutMs)
    }
  })
  endLater(async () => {
    disarm()
    pipe.destroy()
  })
  return { disarm }
}
