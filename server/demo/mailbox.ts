/** The mailbox of the demo: takes the store's mails on this machine, and keeps the newest in memory. */
import type { AddressInfo } from 'node:net'

const MAILS_MAX = 50
const MAIL_BYTES_MAX = 64 * 1024
const CONNECTIONS_MAX = 8

export interface DemoMail {
  to: string
  subject: string
  text: string
}

export interface DemoMailbox {
  port: number
  /** The newest first. */
  mails: DemoMail[]
  stop(): Promise<void>
}

/** Listens on the loopback address alone. */
export async function openDemoMailbox(): Promise<DemoMailbox> {
  const [{ SMTPServer }, { simpleParser }] = await Promise.all([import('smtp-server'), import('mailparser')])
  const mails: DemoMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: MAIL_BYTES_MAX,
    maxClients: CONNECTIONS_MAX,
    onData(stream, _, done) {
      const parts: Buffer[] = []
      let bytes = 0
      stream.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes <= MAIL_BYTES_MAX) parts.push(part)
      })
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('Too large'), { responseCode: 552 }))
        simpleParser(Buffer.concat(parts), { skipImageLinks: true, skipTextToHtml: true }, (error, mail) => {
          if (error) return done(error)
          const { to, subject = '', text = '' } = mail
          const { text: reader = '' } = (Array.isArray(to) ? to[0] : to) ?? {}
          mails.unshift({ to: reader, subject, text })
          mails.length = Math.min(mails.length, MAILS_MAX)
          done()
        })
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}
