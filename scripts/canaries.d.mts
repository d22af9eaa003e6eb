export const CANARIES: Record<'password' | 'key' | 'phone' | 'UTR', RegExp>
export function findCanaries(directory: string, logLinesMin?: number): { found: string[]; logLines: number }
