/**
 * Fresh Debian machines become a store on several, line by line as docs/several-machines.md says: etcd and Patroni on
 * three, two nodes, haproxy and Caddy in front. Then a machine dies, etcd is lost, and the databases are restored.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDirectory, type Drill } from './drill.ts'
import { makeBase, openWorld, run, whatIsMissing, type FreshMachine, type Said } from './machines/world.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const RELEASE = path.join(ROOT, '.cache/releases/first')
const NAME = 'shop.localhost'
const CONFIG = 'patronictl -c /etc/patroni/config.yml'
const WHOLE_MS_MAX = 120_000
/** Longer than Patroni's lease, after which a primary without its failsafe would have stood down. */
const WITHOUT_ETCD_MS = 40_000
const ABOUT = {
  proved: 'the page makes a store of six fresh machines that outlives one of them, all of etcd, and all databases.',
  cannotProve: 'real machines, their network and watchdogs, and a public certificate.',
}

export const drill: Drill = async ({ say, directories }) => {
  const missing = whatIsMissing('nsenter', 'ip')
  if (missing !== undefined) return { passed: true, skipped: true, figures: [missing], ...ABOUT }
  makeBase(say)
  const place = newDirectory(directories)
  const shared = path.join(place, 'backups')
  mkdirSync(shared)
  const net = `10.${randomInt(100, 250)}.${randomInt(1, 250)}`
  const world = openWorld(place, net, shared)
  const at = (last: number) => world.machine(`${net}.${last}`)
  const [front, nodes, databases] = [at(10), [at(11), at(12)], [at(21), at(22), at(23)]]
  say('the package is made, and six machines boot')
  run('node', 'scripts/release.mjs', '--quick', '--out', RELEASE)
  for (const machine of [front, ...nodes, ...databases]) await machine.boot()
  const steps = openSteps(say)
  try {
    await install({ front, nodes, databases, net, steps })
    await breakThings({ front, nodes, databases, steps })
    await replaceThings({ front, nodes, databases, steps })
  } catch (error) {
    steps.fault((error as Error).message)
  }
  return { passed: steps.faults.length === 0, figures: [...steps.figures, ...steps.faults], ...ABOUT }
}

interface Steps {
  faults: string[]
  figures: string[]
  /** @throws Error if the line of the page fails, because the later ones need it */
  must(machine: FreshMachine, line: string): Said
  fault(text: string): void
  figure(text: string): void
}

function openSteps(say: (line: string) => void): Steps {
  const [faults, figures]: [string[], string[]] = [[], []]
  return {
    faults,
    figures,
    fault: (text) => void faults.push(`FAULT ${text}`),
    figure(text) {
      figures.push(text)
      say(text)
    },
    must(machine, line) {
      const step = machine.run(line)
      if (step.code !== 0) throw new Error(`${machine.address}: ${line}: ${step.said.slice(-1_500)}`)
      return step
    },
  }
}

interface Shop {
  front: FreshMachine
  nodes: FreshMachine[]
  databases: FreshMachine[]
  steps: Steps
}

/** Follows the page from its first line to the doctor. */
async function install({ front, nodes, databases, net, steps }: Shop & { net: string }): Promise<void> {
  const [first] = nodes as [FreshMachine]
  const deb = path.join(
    RELEASE,
    run('ls', RELEASE)
      .split('\n')
      .find((name) => name.endsWith('.deb')) ?? '',
  )
  for (const node of nodes) cpSync(deb, path.join(node.root, 'root/chaabi.deb'))
  steps.must(first, 'apt-get install --yes --no-install-recommends /root/chaabi.deb')
  const sample = readFileSync(path.join(ROOT, 'deploy/machines.conf'), 'utf8')
  writeFileSync(
    path.join(first.root, 'root/machines.conf'),
    sample.replaceAll('10.0.0', net).replace('shop.example', NAME),
  )
  steps.must(first, 'chaabi setup --machines /root/machines.conf')
  for (const machine of [...databases, ...nodes, front])
    cpSync(path.join(first.root, `root/machines/${machine.address}.tar`), path.join(machine.root, 'root/machine.tar'))
  const installOn = (machine: FreshMachine) =>
    steps.must(machine, `cd /root && tar -xf machine.tar && sh ${machine.address}/install.sh`)
  for (const machine of databases)
    steps.figure(`${machine.address} is a database after ${installOn(machine).seconds} s`)
  await untilWhole(databases)
  for (const machine of databases) steps.must(machine, 'systemctl start chaabi-base-backup')
  const { said } = steps.must(
    databases[0]!,
    'sudo -u postgres pgbackrest info 2>/dev/null || runuser -u postgres -- pgbackrest info',
  )
  if (!/full backup: /.test(said)) steps.fault(`no base backup: ${said}`)
  const passwords = []
  for (const node of nodes) {
    if (node !== first) steps.must(node, 'apt-get install --yes --no-install-recommends /root/chaabi.deb')
    passwords.push(...installOn(node).said.matchAll(/^Password: (\S+)/gm))
  }
  if (passwords.length !== 1) steps.fault(`${passwords.length} first passwords were told`)
  installOn(front)
  writeFileSync(path.join(front.root, 'root/password'), passwords[0]?.[1] ?? '')
  writeFileSync(path.join(front.root, 'root/ask.mjs'), ASK)
  steps.must(front, `grep -q ${NAME} /etc/hosts || echo ${front.address} ${NAME} >> /etc/hosts`)
  await untilSells(front, WHOLE_MS_MAX)
  const doctor = first.run('chaabi doctor')
  if (doctor.code !== 0 || !/ok +.*standby/i.test(doctor.said)) steps.fault(`the doctor says: ${doctor.said}`)
  const [database] = databases as [FreshMachine]
  const open = first.run(
    `node -e 'fetch("http://${database.address}:2379/version").then(() => process.exit(0), () => process.exit(1))'`,
  )
  const foreign = first.run(CHANGE_PATRONI(database.address))
  if (open.code === 0) steps.fault('etcd answers without a certificate')
  if (foreign.said !== '403') steps.fault(`Patroni takes orders without a certificate: ${foreign.said}`)
  steps.figure(
    'six machines sell behind HTTPS; the doctor finds nothing broken; etcd and Patroni take no order of others',
  )
}

const CHANGE_PATRONI = (address: string) =>
  `NODE_TLS_REJECT_UNAUTHORIZED=0 node -e 'fetch("https://${address}:8008/restart", { method: "POST" })` +
  `.then((a) => console.log(a.status), (e) => console.log(e.message))' 2>/dev/null`

/** A login writes: a session, and a row of the audit log. */
const ASK = `import { readFileSync } from 'node:fs'
const url = 'https://${NAME}/api/admin/login'
const body = JSON.stringify({ username: 'admin', password: readFileSync('/root/password', 'utf8') })
const headers = { 'content-type': 'application/json', origin: 'https://${NAME}' }
const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) })
console.log(answer.status, answer.headers.get('retry-after'), (await answer.text()).slice(0, 200))
process.exit(answer.status === 200 ? 0 : 1)
`
const CA = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'
const sells = (front: FreshMachine): Said => front.run(`NODE_EXTRA_CA_CERTS=${CA} node /root/ask.mjs`)

/** @returns how long it took, in ms */
async function untilSells(front: FreshMachine, withinMs: number): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { code, said } = sells(front)
    const tookMs = performance.now() - began
    if (code === 0) return tookMs
    if (tookMs > withinMs) throw new Error(`nobody can log in after ${withinMs} ms: ${said}`)
    await sleep(200)
  }
}

const PATRONI_LOG = 'journalctl --unit patroni --lines 15 --no-pager --output cat'

/** Resolves when Patroni names a leader, a synchronous standby and a replica. */
async function untilWhole(databases: readonly FreshMachine[]): Promise<FreshMachine> {
  for (const began = performance.now(); ; await sleep(1_000)) {
    const { said } = databases.at(-1)!.run(`${CONFIG} list`)
    const isWhole =
      /\| Leader /.test(said) && /\| Sync Standby /.test(said) && /\| Replica +\| (running|streaming)/.test(said)
    const leader = databases.find(({ address }) =>
      new RegExp(`${address.replaceAll('.', '\\.')} +\\| Leader`).test(said),
    )
    if (isWhole && leader) return leader
    if (performance.now() - began > WHOLE_MS_MAX) {
      const logs = databases.map((each) => `${each.address}: ${each.run(PATRONI_LOG).said.slice(-1_500)}`)
      throw new Error(`the databases are not whole: ${said}\n${logs.join('\n')}`)
    }
  }
}

/** Every machine of etcd must be well after each boot, because a lost one is noticed only with the second. */
async function checkEtcd(node: FreshMachine, steps: Steps, when: string): Promise<void> {
  for (const began = performance.now(); ; await sleep(1_000)) {
    const { said } = node.run('chaabi doctor')
    if (/ok +etcd: 3 of 3 are well/.test(said)) return
    if (performance.now() - began > WHOLE_MS_MAX) return steps.fault(`etcd is not whole ${when}: ${said}`)
  }
}

/** Fresh machines take the places of lost ones, all get new certificates, and the databases move to new ones. */
async function replaceThings({ front, nodes, databases, steps }: Shop): Promise<void> {
  const [first, second] = nodes as [FreshMachine, FreshMachine]
  const password = readFileSync(path.join(front.root, 'root/password'), 'utf8')
  /** As step 6, 9 or 10 of the page says it. */
  const replace = async (machine: FreshMachine) => {
    machine.lose()
    await machine.boot()
    cpSync(path.join(first.root, `root/machines/${machine.address}.tar`), path.join(machine.root, 'root/machine.tar'))
    if (machine === second) {
      cpSync(path.join(first.root, 'root/chaabi.deb'), path.join(machine.root, 'root/chaabi.deb'))
      steps.must(machine, 'apt-get install --yes --no-install-recommends /root/chaabi.deb')
    }
    return steps.must(machine, `cd /root && tar -xf machine.tar && sh ${machine.address}/install.sh replace`)
  }
  const database = databases.at(-1)!
  const { seconds: databaseTook } = await replace(database)
  await untilWhole(databases)
  await checkEtcd(first, steps, 'after a machine was replaced')
  await untilSells(front, WHOLE_MS_MAX)
  const { seconds: nodeTook } = await replace(second)
  const { seconds: frontTook } = await replace(front)
  writeFileSync(path.join(front.root, 'root/password'), password)
  writeFileSync(path.join(front.root, 'root/ask.mjs'), ASK)
  steps.must(front, `echo ${front.address} ${NAME} >> /etc/hosts`)
  await untilSells(front, WHOLE_MS_MAX)
  steps.figure(
    `a lost database, node and front were replaced by fresh machines, whose scripts took ${databaseTook} s, ` +
      `${nodeTook} s and ${frontTook} s`,
  )

  steps.must(
    first,
    'mkdir /root/new && cp /root/machines.conf /root/new && chaabi setup --machines /root/new/machines.conf',
  )
  const renewing = performance.now()
  for (const machine of [...databases, ...nodes]) {
    const tar = path.join(first.root, `root/new/machines/${machine.address}.tar`)
    mkdirSync(path.join(machine.root, 'root/certificates'))
    cpSync(tar, path.join(machine.root, 'root/certificates/machine.tar'))
    steps.must(machine, `cd /root/certificates && tar -xf machine.tar && sh ${machine.address}/install.sh certificates`)
  }
  await untilWhole(databases)
  await untilSells(front, WHOLE_MS_MAX)
  await checkEtcd(first, steps, 'after new certificates')
  steps.figure(`all machines have new certificates, and sell, ${seconds(performance.now() - renewing)} after the first`)

  const backup = steps.must(first, 'chaabi backup').said
  const file = /Saved as (\S+)/.exec(backup)?.[1] ?? backup
  const before = countAudit(await untilWhole(databases))
  const moving = performance.now()
  for (const node of nodes) steps.must(node, 'systemctl stop chaabi')
  for (const machine of databases)
    steps.must(machine, 'systemctl stop patroni && mv /var/lib/postgresql/15/chaabi /var/lib/postgresql/15/chaabi.old')
  const [one, ...others] = databases as [FreshMachine]
  steps.must(one, `printf 'chaabi\\nYes I am aware\\n' | ${CONFIG} remove chaabi`)
  for (const machine of [one, ...others]) {
    // As the page's restore left it
    steps.must(machine, "sed -i 's/^  method: pgbackrest/  # method: pgbackrest/' /etc/patroni/config.yml")
    steps.must(machine, 'systemctl start patroni')
  }
  await untilWhole(databases)
  steps.must(first, `chaabi restore ${file}`)
  for (const node of nodes) steps.must(node, 'systemctl start chaabi')
  await untilSells(front, WHOLE_MS_MAX)
  const after = countAudit(await untilWhole(databases))
  if (!(Number(after) >= Number(before) && Number(before) > 0)) steps.fault(`moved ${after} of ${before} audit rows`)
  for (const machine of databases) steps.must(machine, 'systemctl start chaabi-base-backup')
  steps.figure(`the store moved to new databases with a node's backup in ${seconds(performance.now() - moving)}`)
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
const countAudit = (leader: FreshMachine): string =>
  leader.run(`runuser -u postgres -- psql -Atc 'select seq from audit_head' chaabi`).said

async function breakThings({ front, nodes, databases, steps }: Shop): Promise<void> {
  const [node] = nodes as [FreshMachine]
  await checkEtcd(node, steps, 'at first')
  /** @returns the primary after it */
  const killPrimary = async (primary: FreshMachine, name: string): Promise<FreshMachine> => {
    primary.kill()
    const pauseMs = await untilSells(front, WHOLE_MS_MAX)
    if (!/etcd is lost on /.test(node.run('chaabi doctor').said)) steps.fault(`the doctor misses the ${name}'s etcd`)
    await primary.boot()
    const next = await untilWhole(databases)
    await checkEtcd(node, steps, `after the ${name}`)
    steps.figure(
      `the machine of the ${name} died: nobody could log in for ${seconds(pauseMs)}; it came back as a standby`,
    )
    return next
  }
  for (const machine of databases) steps.must(machine, 'systemctl stop etcd')
  const began = performance.now()
  let refused = 0
  while (performance.now() - began < WITHOUT_ETCD_MS) if (sells(front).code !== 0) refused++
  if (refused > 0) steps.fault(`${refused} logins were refused while etcd was lost`)
  for (const machine of databases) steps.must(machine, 'systemctl start --no-block etcd')
  const leader = await untilWhole(databases)
  steps.figure(`all of etcd away for ${seconds(WITHOUT_ETCD_MS)}: ${refused} logins refused`)

  const next = await killPrimary(await killPrimary(leader, 'primary'), 'next primary')

  const before = countAudit(next)
  steps.must(next, `runuser -u postgres -- psql -qc 'select pg_switch_wal()' chaabi`)
  await sleep(5_000)
  const restoring = performance.now()
  for (const machine of databases) {
    steps.must(machine, 'systemctl stop patroni')
    steps.must(machine, 'mv /var/lib/postgresql/15/chaabi /var/lib/postgresql/15/chaabi.lost')
  }
  const [first, ...others] = databases as [FreshMachine]
  steps.must(first, `printf 'chaabi\\nYes I am aware\\n' | ${CONFIG} remove chaabi`)
  steps.must(first, "sed -i 's/# method: pgbackrest/method: pgbackrest/' /etc/patroni/config.yml")
  steps.must(first, 'systemctl start patroni')
  await untilSells(front, WHOLE_MS_MAX)
  for (const machine of others) steps.must(machine, 'systemctl start patroni')
  const restored = await untilWhole(databases)
  const after = countAudit(restored)
  if (!(Number(after) >= Number(before) && Number(before) > 0)) steps.fault(`restored ${after} of ${before} audit rows`)
  const doctor = node.run('chaabi doctor')
  if (doctor.code !== 0) steps.fault(`the doctor says after the restore: ${doctor.said}`)
  steps.figure(`all databases restored from the base backup and its log in ${seconds(performance.now() - restoring)}`)
}
