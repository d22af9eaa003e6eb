/** Set by the browser until a logout reaches the store. The store's pages then treat the browser as logged out. */
export const logoutOwedCookie = (who: 'buyer' | 'admin'): string => `logout_owed_${who}`

/** Set by the panel while it does not remind this admin of two-step verification. */
export const putOffCookie = (adminId: string): string => `put_off_${adminId}`
