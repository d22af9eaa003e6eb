/** Looks at each machine of etcd, because one that is lost is noticed by nobody until the second one is lost, too. */
import { found, type Finding } from './findings.ts'

/** Short, because the panel asks, too, and a dead machine does not even refuse. */
const ANSWER_MS_MAX = 500

/**
 * @param members host:port of each, as ETCD_HEALTH says
 * @returns those that are not well
 */
export async function findLostEtcd(members: readonly string[]): Promise<string[]> {
  const well = await Promise.all(members.map(isWell))
  return members.filter((_, n) => !well[n])
}

async function isWell(member: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://${member}/health`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}

export async function checkEtcd(members: readonly string[]): Promise<Finding[]> {
  if (members.length === 0) return []
  const lost = await findLostEtcd(members)
  if (lost.length === 0) return [{ level: 'ok', text: `etcd: ${members.length} of ${members.length} are well.` }]
  const level = lost.length * 2 > members.length ? 'broken' : 'warning'
  return [
    found(level, 'etcd is lost on {machines}. If most of it is lost, no database can take over from a dead one.', {
      machines: lost.join(', '),
    }),
  ]
}
