/** What a buyer can say of a key. Imports nothing, so that any page can read it. */
export const REPORTED_REASONS = ['never-worked', 'already-used', 'stopped', 'wrong-product', 'other'] as const
