export type Place = 'screen' | 'server' | 'docs'
export const bannedWords: readonly { word: string; use: string; only?: Place[] }[]
export const fixedTexts: readonly string[]
export function findBannedWords(text: string, place: Place): { found: string; use: string; at: number }[]
