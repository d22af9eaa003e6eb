/**
 * Collects figures for the operator, in Prometheus' text format (version 0.0.4). Counters and histograms are kept here.
 * Gauges are read when somebody asks. All of them are of this process only.
 */

type Labels = Readonly<Record<string, string>>

interface Counter {
  add(labels?: Labels, by?: number): void
  /** @returns a function that counts one under these labels. It saves writing the labels for each frequent event */
  of(labels: Labels): () => void
}

interface Histogram {
  observe(value: number, labels?: Labels): void
  /** @returns a function that observes a value under these labels, like `Counter.of` */
  of(labels: Labels): (value: number) => void
}

/** One figure, or one for each set of labels; undefined if it is not known now. */
type Reading = number | undefined | readonly { labels: Labels; value: number }[]

export interface Metrics {
  counter(name: string, help: string): Counter
  /** @param bounds upper ends, ascending. A last one without an end is added */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram
  /** Leaves out a gauge that cannot be read. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void
  write(): Promise<string>
}

interface Family {
  name: string
  help: string
  type: 'counter' | 'histogram' | 'gauge'
  lines(): string[] | Promise<string[]>
}

type Lines = Family['lines']

export function createMetrics(): Metrics {
  const families: Family[] = []
  const add = (family: Family) => {
    if (families.some(({ name }) => name === family.name)) throw new Error(`There is a metric ${family.name} already`)
    families.push(family)
  }
  return {
    counter(name, help) {
      const { counter, lines } = createCounter(name)
      add({ name, help, type: 'counter', lines })
      return counter
    },
    histogram(name, help, bounds) {
      const { histogram, lines } = createHistogram(name, bounds)
      add({ name, help, type: 'histogram', lines })
      return histogram
    },
    gauge: (name, help, read) => add({ name, help, type: 'gauge', lines: () => gaugeLines(name, read) }),
    async write() {
      const blocks = await Promise.all(
        families.map(async ({ name, help, type, lines }) => [
          `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
          `# TYPE ${name} ${type}`,
          ...(await lines()),
        ]),
      )
      return `${blocks.flat().join('\n')}\n`
    },
  }
}

function createCounter(name: string): { counter: Counter; lines: Lines } {
  const all = new Map<string, { value: number }>()
  const countOf = (labels: Labels) => {
    const key = inBraces(labels)
    let each = all.get(key)
    if (!each) all.set(key, (each = { value: 0 }))
    return each
  }
  return {
    lines: () => [...all].map(([labels, { value }]) => `${name}${labels} ${value}`),
    counter: {
      add(labels = {}, by = 1) {
        countOf(labels).value += by
      },
      of(labels) {
        const each = countOf(labels)
        return () => void each.value++
      },
    },
  }
}

function createHistogram(name: string, bounds: readonly number[]): { histogram: Histogram; lines: Lines } {
  const all = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>()
  const of = (labels: Labels) => {
    const key = inBraces(labels)
    const each = all.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 }
    all.set(key, each)
    return (value: number) => {
      const index = bounds.findIndex((bound) => value <= bound)
      if (index >= 0) each.counts[index] = (each.counts[index] ?? 0) + 1
      each.sum += value
      each.count += 1
    }
  }
  return {
    lines: () => [...all.values()].flatMap((each) => bucketLines(name, bounds, each)),
    histogram: { of, observe: (value, labels = {}) => of(labels)(value) },
  }
}

async function gaugeLines(name: string, read: () => Reading | Promise<Reading>): Promise<string[]> {
  const reading = await Promise.resolve()
    .then(read)
    .catch(() => undefined)
  if (reading === undefined) return []
  if (typeof reading === 'number') return [`${name} ${reading}`]
  return reading.map(({ labels, value }) => `${name}${inBraces(labels)} ${value}`)
}

/** Each bucket includes the smaller ones. */
function bucketLines(
  name: string,
  bounds: readonly number[],
  { labels, counts, sum, count }: { labels: Labels; counts: readonly number[]; sum: number; count: number },
): string[] {
  let below = 0
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return `${name}_bucket${inBraces({ ...labels, le: String(bound) })} ${below}`
  })
  return [
    ...buckets,
    `${name}_bucket${inBraces({ ...labels, le: '+Inf' })} ${count}`,
    `${name}_sum${inBraces(labels)} ${sum}`,
    `${name}_count${inBraces(labels)} ${count}`,
  ]
}

function inBraces(labels: Labels): string {
  let pairs = ''
  for (const [name, value] of Object.entries(labels)) pairs += `${pairs && ','}${name}="${escapeValue(value)}"`
  return pairs && `{${pairs}}`
}

const escapeValue = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value
