/** Remembers that this browser takes push messages for an account. A logout forgets it, as the store does. */
export type PushOwner = 'user' | 'admin'

export const pushFlag = (as: PushOwner): string => `push-${as}`
