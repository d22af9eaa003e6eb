/** Set by the browser until a logout reaches the store. The store's pages then treat the browser as logged out. */
export const logoutOwedCookie = (who: 'buyer' | 'admin'): string => `logout_owed_${who}`
