/** A piece of a text. One with `href` is an address. */
interface TextPart {
  text: string
  href?: string
}

/** What ends a sentence, or closes a bracket around the address, is not part of it. */
const ADDRESS = /(https:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/

/** Splits a plain text at its https addresses. The parts joined give the text. */
export function linksIn(text: string): TextPart[] {
  return text
    .split(ADDRESS)
    .map((part, index) => ({ text: part, ...(index % 2 === 1 && hostIn(part) && { href: part }) }))
    .filter((part) => part.text !== '')
}

/** Returns the host of an address, and nothing for another text. */
export function hostIn(address: string): string | undefined {
  try {
    return new URL(address).host
  } catch {
    return undefined
  }
}
