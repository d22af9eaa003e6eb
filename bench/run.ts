/** `npm run bench -- NAME [options]` runs bench/NAME.ts; what it measures is in its name. */
import { readdirSync } from 'node:fs'

const names = readdirSync(import.meta.dirname)
  .filter(
    (file) =>
      file.endsWith('.ts') && !/^(run|seed-store|http-load|running-store|watch-loop)\.ts$|\.test\.ts$/.test(file),
  )
  .map((file) => file.slice(0, -'.ts'.length))
const [name = '', ...args] = process.argv.slice(2)

if (names.includes(name)) {
  const { bench } = (await import(`./${name}.ts`)) as { bench(args: string[]): Promise<void> }
  await bench(args)
} else {
  process.stderr.write(`Choose what to measure: ${names.map((each) => `npm run bench -- ${each}`).join(', ')}\n`)
  process.exitCode = 1
}
