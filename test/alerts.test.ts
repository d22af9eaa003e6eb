/** The rules and the dashboard for operators name only metrics and labels that the store really has. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openShop } from './worlds/shop.ts'
import { withStore } from './store.ts'
import { measureUpkeep } from '../server/operations/upkeep-metrics.ts'
import { createMetrics } from '../server/platform/watching/metrics.ts'

const rules = readFileSync('deploy/alerts.yml', 'utf8')
const page = readFileSync('docs/monitoring.md', 'utf8')
interface Panel {
  title: string
  targets: { expr: string }[]
}
const { panels } = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as { panels: Panel[] }
const alerts = [...rules.matchAll(/- alert: (\w+)\s+expr:(?: >-)?([\s\S]*?)\n {8}(?:for|labels):/g)].map(
  ([, name = '', expr = '']) => ({ name, expr }),
)
const expressions = [
  ...alerts.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]

/** All that the store writes, with the families that have no line yet. */
async function metricsOf(): Promise<string> {
  return withStore(async (store) => {
    const shop = await openShop(store)
    await shop.visitor().get('/metrics')
    const upkeep = createMetrics()
    measureUpkeep(upkeep, store.db, '.', store.clock, { copyTo: 'nas:/backups', etcd: ['127.0.0.1:1'] })
    return `${(await shop.visitor().get('/metrics')).body as string}${await upkeep.write()}`
  })
}

test('each metric of a rule or a panel is one of the store, and each metric has its row in the page', async () => {
  const text = await metricsOf()
  const families = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  expect(alerts).toHaveLength(rules.match(/- alert:/g)?.length ?? 0)
  for (const expression of expressions) {
    const named = expression.match(/\bchaabi_\w+/g) ?? []
    if (named.length === 0) expect(expression).toMatch(/^ up\{job="chaabi"\}/)
    for (const name of named) expect([...families], expression).toContain(name.replace(/_(?:bucket|sum|count)$/, ''))
    for (const [, label = ''] of expression.matchAll(/[{,](\w+)(?:!?=~?)"/g))
      expect(text.includes(`${label}="`) || label === 'job', `${label} in ${expression}`).toBe(true)
  }
  for (const family of families) expect(page, 'docs/monitoring.md').toContain(`\`${family}\``)
})

test('each alert has its row in the page, and the page names no other', () => {
  const rows = [...page.matchAll(/^\| `(Chaabi\w+)`/gm)].map(([, name]) => name)
  expect(rows).toEqual(alerts.map(({ name }) => name))
})

test('what a shop must know at once has a figure: a top-up that waits', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const ask = async () => (await shop.visitor().get('/metrics')).body as string
    expect(await ask()).toMatch(/^chaabi_topup_waiting_seconds 0$/m)
    const buyer = await shop.buyer()
    await buyer.api.payments.addMoney({ amount: 500, utr: '412345678901', payerName: '9876543210' })
    store.clock.advance(3_600_000)
    const text = await ask()
    expect(text).toMatch(/^chaabi_topup_waiting_seconds 36\d\d$/m)
    expect(text).toMatch(/^chaabi_topups_waiting 1$/m)
    expect(text).toMatch(/^chaabi_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m)
  }))
