/** Loaded into a server that is measured: says on SIGUSR2 how long its event loop was held up since the last time. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const NS_PER_MS = 1e6
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

process.on('SIGUSR2', () => {
  const [p99, max] = [delay.percentile(99), delay.max].map((ns) => (ns / NS_PER_MS).toFixed(0))
  process.stdout.write(`loop held up: p99 ${p99} ms, max ${max} ms\n`)
  delay.reset()
})
