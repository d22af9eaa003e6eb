/** A cookie that the browser sets while a logout has not reached the store: it is nobody to the store's pages then. */
export const logoutOwedCookie = (who: 'buyer' | 'admin'): string => `logout_owed_${who}`
