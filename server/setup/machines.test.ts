import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { refusalMessage, refusalStatus } from '../../contract/errors.ts'
import { makeMachines } from './machines.ts'

const OPENSSL = '/usr/bin/openssl'

test.runIf(existsSync(OPENSSL))('a list of addresses becomes a file for each machine, once', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'chaabi-machines-'))
  const list = path.join(place, 'machines.conf')
  const said: string[] = []
  const make = () => makeMachines(list, 'deploy', (line) => void said.push(line))
  const read = (address: string, file: string) =>
    spawnSync('tar', ['-xOf', path.join(place, 'machines', `${address}.tar`), `${address}/files${file}`], {
      encoding: 'utf8',
    }).stdout
  try {
    expect(make).toThrow(/is not there\. Copy deploy\/machines\.conf and change it\./)
    copyFileSync('deploy/machines.conf', list)
    const sample = readFileSync(list, 'utf8')
    for (const [wrong, words] of [
      [sample.replace('ETCD=10.0.0.21,', 'ETCD='), 'ETCD in .* needs 3 different addresses'],
      [sample.replace('10.0.0.12', '10.0.0.11'), 'NODES in .* needs 1 different addresses'],
      [sample.replace('FRONT=10.0.0.10', 'FRONT=front'), 'FRONT in .* needs 1 different addresses'],
    ] as const) {
      writeFileSync(list, wrong)
      expect(make).toThrow(new RegExp(words))
    }
    expect(existsSync(path.join(place, 'machines'))).toBe(false)

    writeFileSync(list, sample)
    vi.stubEnv('PATH', place)
    expect(make, 'stopped in the middle').toThrow('openssl failed')
    vi.unstubAllEnvs()
    make()

    expect(said[0]).toContain('Made 6 files')
    expect(statSync(path.join(place, 'machines/10.0.0.21.tar')).mode & 0o777).toBe(0o600)
    const node = read('10.0.0.12', '/etc/chaabi/chaabi.env')
    const password = /chaabi:(\w{48})@10\.0\.0\.21:5432,10\.0\.0\.22:5432,10\.0\.0\.23:5432\/chaabi\?/.exec(node)?.[1]
    expect(read('10.0.0.23', '/etc/chaabi-tls/database.sql')).toContain(`password '${password}'`)
    expect(node).toContain('\nHOST=10.0.0.12\n')
    expect(node).toContain('\nETCD_HEALTH=10.0.0.21:2381,10.0.0.22:2381,10.0.0.23:2381\n')
    expect(read('10.0.0.22', '/etc/default/etcd')).toContain('\nETCD_LISTEN_METRICS_URLS=http://10.0.0.22:2381\n')
    for (const [address, units] of Object.entries({
      '10.0.0.21': ['etcd', 'patroni'],
      '10.0.0.10': ['haproxy', 'caddy'],
    }))
      for (const unit of units)
        expect(read(address, `/etc/systemd/system/${unit}.service.d/chaabi.conf`)).toContain('Restart=always')
    const code = 'SERVICE_UNAVAILABLE'
    const busy = JSON.stringify({ message: refusalMessage(code), code })
    expect(read('10.0.0.10', '/etc/haproxy/haproxy.cfg'), 'as the store says it').toContain(
      `http-error status ${refusalStatus(code)} content-type application/json string '${busy}' hdr Retry-After 1`,
    )
    const secretIn = (text: string) => /^SECRET_KEY=.{44}$/m.exec(text)?.[0] ?? 'none'
    expect(secretIn(node)).toBe(secretIn(read('10.0.0.11', '/etc/chaabi/chaabi.env')))
    expect(node).toContain(secretIn(node))
    expect(read('10.0.0.22', '/etc/patroni/config.yml')).not.toMatch(/(first|second)-password|10\.0\.0\.(31|0\/24)/)
    expect(spawnSync('grep', ['-rc', 'BEGIN', path.join(place, 'machines/ca.key')]).status).not.toBe(0)
    expect(make).toThrow('is there already, with the passwords in use. Nothing was made.')
  } finally {
    rmSync(place, { recursive: true })
  }
})
