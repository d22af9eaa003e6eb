/**
 * Where a text sends its reader: addresses, e-mails, UPI IDs and phone numbers. A thief of an admin's session would
 * lead buyers to their own. Words that hide one ("thief at ybl") are not found.
 */
const CONTACT = new RegExp(
  [
    /https?:\/\/[^\s<>"']+/u,
    // A UPI ID or an e-mail
    /(?<![\w.+-])[\w.+-]+@[\w.-]+/u,
    // An address without https
    /(?<![\p{L}\d.-])(?:[\p{L}\d-]+\.)+\p{L}{2,}(?:\/[^\s<>"']*)?/u,
    /(?<!\p{Nd})(?:\p{Nd}[\s().-]{0,2}){10,}/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
)

/** @returns each once, in an order that does not depend on the texts */
export function contactsIn(texts: readonly unknown[]): string[] {
  const found = texts.flatMap((text) => (typeof text === 'string' ? (text.normalize('NFKC').match(CONTACT) ?? []) : []))
  return [...new Set(found.map((each) => each.trim().replace(/[.,;:!?)\]}]+$/, '')))].toSorted()
}
