/** A Node that is too old gets a sentence from whichever script it meets. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const started = ['start', 'build', 'release', 'install-service', 'test'].map(
  (name) => /scripts\/\S+/.exec(scripts[name] ?? '')?.[0] ?? '',
)

/** As Node says which it is, before any module is evaluated. */
const pretend = (version: string) =>
  `--import=data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`

test('the check imports nothing, and is the first import of each script that a person starts', () => {
  expect(readFileSync('scripts/need-node.mjs', 'utf8')).not.toMatch(/\bimport\b[^:]*['(]/)
  for (const file of [...started, 'scripts/build.mjs'])
    expect(/^import .*$/m.exec(readFileSync(file, 'utf8'))?.[0], file).toBe("import './need-node.mjs'")
})

test.each(['18.20.8', '20.10.0', '20.18.3'])('Node %s reads what is needed, and nothing else happens', (version) => {
  // `tsx` starts the tests, and is not asked here
  for (const script of started.filter((each) => !each.endsWith('/test.mjs'))) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [pretend(version), script, 'start'], {
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }, script).toEqual({
      status: 1,
      stdout: '',
      stderr: `Chaabi needs Node 20.19 or newer. This is ${version}.\n`,
    })
  }
})
