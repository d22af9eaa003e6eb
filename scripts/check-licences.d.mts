export function readLicences(lockFile?: string): { name: string; licence: string; isRunWith: boolean }[]
export function isAllowed(licence: string): boolean
