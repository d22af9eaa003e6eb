import { HOUR_MS } from '../../contract/time.ts'
import type { Job } from '../platform/jobs.ts'
import type { Services } from '../platform/services.ts'
import { noteMailboxes } from '../referrals/rewards.ts'
import { mailboxFingerprint } from '../users/mailbox.ts'

/** Notes the mailboxes of accounts from before they were noted, so that these count for later sign-ups, too. */
export const mailboxJobs = ({ db, sealer }: Pick<Services, 'db' | 'sealer'>): Job[] => [
  {
    name: 'note-mailboxes',
    nextAfter: (now) => new Date(now.getTime() + HOUR_MS),
    async run(_, signal) {
      let noted = 0
      for (let some = 1; some > 0 && !signal.aborted; noted += some)
        some = await db.transaction((tx) => noteMailboxes(tx, (email) => mailboxFingerprint(sealer, email)))
      return { noted }
    },
  },
]
