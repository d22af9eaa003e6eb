/** A store that was given its name goes by no other from that moment on: not in a chat, a mail, an app or a QR code. */
import { expect, test } from 'vitest'
import { sendDue } from '../server/messages/worker.ts'
import { sql } from '../server/platform/database/database.ts'
import { withStore } from './store.ts'
import { startMailServer } from './worlds/mailboxes.ts'
import { metaIn, withPages } from './worlds/pages.ts'
import { nextUtr, openShop, OWNER } from './worlds/shop.ts'
import { passOverSecurity } from './worlds/told.ts'

const NAME = 'Indore Game Keys'
/** Pages that people send each other, and pages of the panel. */
const PAGES = ['/', '/login', '/signup', '/buy', '/terms-policy', '/no-such-page', '/admin', '/admin-login']

test('title, chat cards, apps, mails and the authenticator say the name as soon as it is saved', () =>
  withPages(async (webDirectory) => {
    const mail = await startMailServer()
    try {
      await withStore(
        async (store) => {
          const shop = await openShop(store)
          const { owner } = shop
          await owner.api.messages.saveChannel({
            name: 'email',
            isOn: true,
            host: '127.0.0.1',
            port: mail.port,
            from: 'shop@example.in',
          })
          // As the form sends it, with the title that nobody has changed
          const { websiteTitle } = await owner.api.settings.site({})
          await owner.api.settings.saveSite({ websiteName: NAME, websiteTitle })

          const said: Record<string, string> = {}
          for (const page of PAGES) {
            const text = await (await fetch(store.url + page)).text()
            said[`title of ${page}`] = /<title>([^<]*)/.exec(text)?.[1] ?? ''
            const { 'og:title': title, 'og:site_name': site, 'og:image:alt': alt } = metaIn(text)
            if (!page.startsWith('/admin')) Object.assign(said, { [`card of ${page}`]: [title, site, alt].join(' / ') })
          }
          for (const file of ['manifest.webmanifest', 'admin.webmanifest']) {
            const { name, short_name: short } = (await (await fetch(`${store.url}/${file}`)).json()) as Record<
              string,
              string
            >
            Object.assign(said, { [`name in ${file}`]: name, [`short name in ${file}`]: short })
          }
          said['authenticator'] = decodeURIComponent((await owner.api.admins.enrol({ password: OWNER.password })).uri)

          const buyer = await shop.buyer()
          await store.db.run(sql`update users set email_proven_at = ${store.clock.now()} where id = ${buyer.id}`)
          const { payment } = await buyer.api.payments.addMoney({
            amount: 500,
            utr: nextUtr(),
            payerName: '9876543210',
          })
          await owner.api.payments.reject({ id: payment._id, reason: 'Not found' })
          await passOverSecurity(store.db)
          await sendDue(store.app.services, store.app.reach)
          const [letter] = mail.arrived
          said['text of a mail'] = letter?.text ?? ''
          said['frame of a mail'] = String(letter?.html)

          expect(Object.keys(said).length).toBe(21)
          for (const [place, text] of Object.entries(said)) {
            expect(text, place).toContain(NAME)
            expect(text, place).not.toContain('Chaabi')
          }
        },
        { webDirectory, publicOrigin: 'https://keys.example' },
      )
    } finally {
      await mail.stop()
    }
  }))
