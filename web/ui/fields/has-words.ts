/**
 * Text as a search compares it: in small letters, without accents, and without the dot under Devanagari letters, which
 * phones leave out (फ for फ़). A nasal before a consonant is one sign, because people write both (हिन्दी, हिंदी, चाँद).
 */
const foldWords = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f\u093c\u200b-\u200d]/g, '')
    .replaceAll(/\u0901|[ङञणनम]\u094d(?=[क-ह])/g, '\u0902')
    .toLocaleLowerCase()

/** True if one of the names has every word of `typed`. */
export function hasWords(typed: string, ...names: readonly (string | undefined)[]): boolean {
  const name = foldWords(names.filter(Boolean).join(' '))
  return foldWords(typed)
    .split(/\s+/)
    .every((word) => name.includes(word))
}
