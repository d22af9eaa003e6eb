/** Asks once a day whether a newer version is out, if UPDATES_FROM says where. Nothing is fetched or installed. */
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database/database.ts'
import { readJobs, type Job } from '../platform/jobs.ts'
import type { Outbound } from '../platform/outbound.ts'
import { how } from '../reports/health-report.ts'
import { VERSION } from '../reports/health.ts'
import { found, withHow, type Finding } from './findings.ts'

const JOB = 'look-for-version'
/** GitHub names every file of a release beside its text. */
const ANSWER_BYTES_MAX = 512 * 1024
const LINES_LENGTH_MAX = 2_000

/** As GitHub, Forgejo and Gitea describe a release. */
const Release = z.object({
  tag_name: z.string().check(z.regex(/^v?\d{1,6}(\.\d{1,6}){2}$/)),
  body: z._default(z.nullish(z.string()), ''),
})

const Asked = z.object({
  from: z.string(),
  at: z.number(),
  version: z.optional(z.string()),
  /** What the changelog says of it. */
  lines: z.optional(z.string()),
  /** Why nobody answered, or not in a form that is known. */
  fault: z.optional(z.string()),
})
type Asked = z.output<typeof Asked>

/** @param from address of the newest release; without one nobody is asked */
export const versionJob = (db: Database, outbound: Outbound, from: string | undefined): Job => ({
  name: JOB,
  nextAfter: (now) => new Date(now.getTime() + HOUR_MS),
  async run(now): Promise<Asked | undefined> {
    if (from === undefined) return undefined
    const before = await lastAnswer(db, from)
    if (before && now.getTime() - before.at < DAY_MS) return before
    const asked = { ...before, from, at: now.getTime(), fault: undefined }
    try {
      return { ...asked, ...(await askFor(outbound, from)) }
    } catch (error) {
      return { ...asked, fault: error instanceof Error ? error.message : String(error) }
    }
  },
})

async function lastAnswer(db: Database, from: string | undefined): Promise<Asked | undefined> {
  const { data } = z.safeParse(Asked, (await readJobs(db)).find(({ name }) => name === JOB)?.result)
  return data?.from === from ? data : undefined
}

/** @throws Error in words when the answer is no release */
async function askFor(outbound: Outbound, from: string): Promise<{ version: string; lines: string }> {
  const headers = { accept: 'application/json', 'user-agent': 'chaabi' }
  const { status, body } = await outbound.call({ url: from, method: 'GET', headers, answerBytesMax: ANSWER_BYTES_MAX })
  if (status !== 200) throw new Error(`The answer was HTTP ${status}.`)
  const release = z.safeParse(Release, jsonOf(body))
  if (!release.success) throw new Error('The answer names no version.')
  const { tag_name, body: text } = release.data
  return { version: tag_name.replace(/^v/, ''), lines: plain(text ?? '') }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without what only a changelog's page can draw, and without characters that no text needs. */
const plain = (text: string): string =>
  text
    .replaceAll(/[^\P{C}\n]/gu, '')
    .replaceAll(/^#+ |`|\*\*/gm, '')
    .trim()
    .slice(0, LINES_LENGTH_MAX)

/** @param config what is installed has a command that says how to update */
export async function checkVersion(
  db: Database,
  { updatesFrom, installed }: Pick<Config, 'updatesFrom' | 'installed'>,
): Promise<Finding[]> {
  const answer = updatesFrom === undefined ? undefined : await lastAnswer(db, updatesFrom)
  if (answer?.version !== undefined && isNewer(answer.version, VERSION)) {
    const { version, lines } = answer
    const command = installed ? 'chaabi update' : 'git pull && npm ci && npm start'
    return [
      withHow(
        found('warning', 'Version {version} is out.', { version }),
        how('To install it, run {command} on the server. What changed: {lines}', { command, lines: `\n${lines}` }),
      ),
    ]
  }
  if (answer?.fault === undefined) return []
  const unknown = found('warning', 'The store can’t find out whether a new version is out.')
  return [
    withHow(unknown, how('Check {setting}. It says: {reason}', { setting: 'UPDATES_FROM', reason: answer.fault })),
  ]
}

export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((each) => each.split('.').map(Number)) as [number[], number[]]
  const n = one.findIndex((part, at) => part !== (other[at] ?? 0))
  return n >= 0 && one[n]! > (other[n] ?? 0)
}
