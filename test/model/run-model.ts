/**
 * The model test on its own, for as long as is wanted: `npm run model -- --minutes 20`. Seeds are new ones
 * unless MODEL_SEED names one; a failure names its seed and ends the run with exit code 1. The run prints the
 * shortest story that was found for it in a little while, or `--as-found`.
 */
import { parseArgs } from 'node:util'
import { startEngine } from '../engine.ts'
import { replayed, runModel } from './run-stories.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, 'as-found': { type: 'boolean', default: false } },
})
const engine = await startEngine()
try {
  const seconds = Number(values.minutes) * 60
  const { failure, summary } = await runModel(engine, {
    seconds,
    shrinks: !values['as-found'],
    ...replayed(process.env),
    onProgress: (line) => console.log(line),
  })
  console.log(failure ?? '0 violations')
  console.log(summary)
  process.exitCode = failure === undefined ? 0 : 1
} finally {
  await engine.stop()
}
