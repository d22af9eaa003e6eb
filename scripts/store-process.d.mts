import type { ChildProcess, StdioOptions } from 'node:child_process'

export interface LaunchOptions {
  port: number
  dataDir: string
  mode?: 'start' | 'demo'
  /** For Node itself: profiling, a module to load first. */
  nodeArguments?: readonly string[]
  /** scripts/run.mjs when absent, which builds first where the build is old. */
  program?: string
  /** The first admin, where there is none yet. */
  admin?: { username: string; password: string }
  /** Over everything else. */
  environment?: Record<string, string | undefined>
  /** Sees nothing of the environment that this process runs in. */
  isolated?: boolean
  /** Runs as this account; as that of the caller when absent. */
  account?: { uid: number; gid: number } | undefined
  /** Its errors are shown and the rest is not, when absent. */
  stdio?: StdioOptions
}

export interface LaunchedStore {
  readonly child: ChildProcess
  readonly url: string
  readonly pid: number
  readonly alive: boolean
  /** Its exit code, null after a signal. */
  readonly ended: Promise<number | null>
  /** Waits for the first 200 of /api/health. @returns milliseconds. @throws Error when it ends, or takes too long */
  untilHealthy(options?: { withinMs?: number; everyMs?: number }): Promise<number>
  /** SIGTERM, and SIGKILL after 20 s; waits until it is gone. */
  stop(): Promise<{ code: number | null; tookMs: number }>
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>
}

export function launchStore(options: LaunchOptions): LaunchedStore
export function freePort(): Promise<number>
