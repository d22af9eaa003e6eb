/** The mailbox behind an address, so that mails to it are counted however it is written. */
import { domainToASCII } from 'node:url'

/** Those of Google read no dots in the part before the @. */
const DOTLESS = new Set(['gmail.com', 'googlemail.com'])

/**
 * @returns a text that is the same for addresses that reach one mailbox. It may be the same for two mailboxes of a
 *   server that reads "+" in another way, so it only ever counts mails
 */
export function mailboxOf(email: string): string {
  // Of an old address that is not plain, what a mail program takes for the address
  const [address = email] = /[^\s@<>()[\]",:;\\]+@[^\s@<>()[\]",:;\\]+/.exec(email) ?? []
  const plain = address.normalize('NFKC').toLowerCase()
  const at = plain.lastIndexOf('@')
  const domain = domainToASCII(plain.slice(at + 1)) || plain.slice(at + 1)
  const local = plain.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return DOTLESS.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
