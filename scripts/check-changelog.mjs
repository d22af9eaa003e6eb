/**
 * A step of `npm run check`: who changes the wire (`contract/`) or the database (`server/migrations`) says so in
 * CHANGELOG.md, under *Unreleased*, with the change or after it. A commit that nobody outside notices says
 * `Changelog: none` at the end of its message. Without git, as in a container, there is nothing to ask.
 */
import { spawnSync } from 'node:child_process'

const CHANGELOG = 'CHANGELOG.md'
const WATCHED = ['contract', 'server/migrations', ':!*.test.ts']

const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim().split('\n').filter(Boolean) : undefined
}

/** @returns what changed since the changelog did, in words */
function silentChanges() {
  // Who is writing it now has said it
  if (git('status', '--porcelain', '--', CHANGELOG)?.length !== 0) return []
  const [last] = git('log', '-1', '--format=%H', '--', CHANGELOG) ?? []
  if (last === undefined) return []
  const commits = git('log', '--format=%H', `${last}..HEAD`, '--', ...WATCHED) ?? []
  const silent = commits.filter(
    (commit) => !/^Changelog: none$/m.test(git('log', '-1', '--format=%B', commit).join('\n')),
  )
  const unsaved = git('status', '--porcelain', '--', ...WATCHED) ?? []
  return [
    ...silent.map((commit) => git('log', '-1', '--format=%h %s', commit)[0]),
    ...unsaved.map((line) => line.replace(/^\s*\S+\s+/, '')),
  ]
}

const silent = silentChanges()
for (const each of silent)
  console.error(
    `${CHANGELOG} says nothing of: ${each}. Add a line under Unreleased, or “Changelog: none” to the commit.`,
  )
process.exitCode = silent.length === 0 ? 0 : 1
