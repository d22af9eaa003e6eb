import type { PaidTo } from '../../contract/upi.ts'

/** Keeps digits behind a name in Urdu in their place. They would be drawn before it (UAX #9). */
export const isolated = (name = ''): string => (/\p{Script=Arabic}/u.test(name) ? `\u2068${name}\u2069` : name)

export const payeeText = ({ name, upiId }: PaidTo): string => [isolated(name), upiId].filter(Boolean).join(', ')
