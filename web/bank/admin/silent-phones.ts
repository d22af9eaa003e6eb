import type { BankDevice } from '../../../contract/bank-phones.ts'

/** Android has probably put an app to sleep that has sent nothing for so long. */
const SILENT_MS = 24 * 3_600_000

export const isSilent = ({ lastSeenAt, createdAt }: BankDevice, now: number): boolean =>
  now - Date.parse(lastSeenAt ?? createdAt) > SILENT_MS
