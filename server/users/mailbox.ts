/** The mailbox behind an address, so that what is given or sent to it is counted however it is written. */
import { domainToASCII } from 'node:url'
import type { Sealer } from '../platform/secrets/sealing.ts'

/** Domains of one provider that reach the same mailbox, and the signs that it does not read before the @. */
const PROVIDERS = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], ignored: /[._-]/g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
]

/**
 * @returns a text that is the same for addresses that reach one mailbox. It may be the same for two mailboxes of a
 *   server that reads "+" in another way, so it only ever counts mails and rewards
 */
export function mailboxOf(email: string): string {
  // In an old address that is not plain, the part that mail programs use
  const [address = email] = /[^\s@<>()[\]",:;\\]+@[^\s@<>()[\]",:;\\]+/.exec(email) ?? []
  const plain = address.normalize('NFKC').toLowerCase()
  const at = plain.lastIndexOf('@')
  const domain = domainToASCII(plain.slice(at + 1)) || plain.slice(at + 1)
  const local = plain.slice(0, at).replace(/(?<=.)\+.*$/, '')
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain))
  if (!provider) return `${local}@${domain}`
  return `${provider.ignored ? local.replaceAll(provider.ignored, '') : local}@${provider.domains[0] ?? domain}`
}

/** Names the mailbox of an address without saying which it is. */
export const mailboxFingerprint = (sealer: Sealer, email: string): Buffer =>
  sealer.fingerprint(`mailbox ${mailboxOf(email)}`)
