import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { PASSPHRASE_LENGTH_MIN, PASSWORD_LENGTH_MAX } from './limits.ts'

export const backup = {
  download: {
    route: 'POST /backup',
    access: 'admin',
    summary:
      'Downloads a backup of this moment as one encrypted file. `npm run restore` takes it with the same passphrase. ' +
      'The audit log records who downloaded it.',
    input: z.object({
      passphrase: z.string({ error: 'Passphrase is required' }).check(
        z.minLength(PASSPHRASE_LENGTH_MIN, {
          error: `Passphrase must have at least ${PASSPHRASE_LENGTH_MIN} characters`,
        }),
        z.maxLength(PASSWORD_LENGTH_MAX, { error: `Passphrase can have up to ${PASSWORD_LENGTH_MAX} characters` }),
      ),
    }),
    output: z.unknown(),
    refusals: ['STEP_UP_REQUIRED'],
    limit: 'export',
    stream: 'application/octet-stream',
  },
} as const satisfies Declarations
