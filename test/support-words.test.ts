import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { textsIn } from '../scripts/check-words.mjs'
import { withDatabase } from './database.ts'

import { translator } from '../contract/words.ts'
import { sql } from '../server/platform/database/database.ts'
import { ensureSettings } from '../server/settings/settings.ts'
import { toContactSupport } from '../server/users/support-words.ts'

const say = translator('en')

/** A text that sends a person to support, whatever it is called. */
const SENDS_TO_SUPPORT = /(contact|ask|write to|tell|reach) (support|the (store(?! owner)|seller))/i
/** Files of the user area and of the server. Admins are support themselves. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?!.*\badmin\/).*(?<!\.test)\.tsx?$/.test(file))
    .map((file) => ({ file: `${folder}/${file}`, source: readFileSync(`${folder}/${file}`, 'utf8') }))
const sending = (folder: string) =>
  filesIn(folder).filter(({ file, source }) => textsIn(file, source).some(({ text }) => SENDS_TO_SUPPORT.test(text)))

test('every screen that sends a person to support has the link', () => {
  const screens = sending('web')
  expect(screens.length).toBeGreaterThan(6)
  expect(
    screens.filter(({ source }) => !/<SupportLink|href=\{support\.url\}/.test(source)).map(({ file }) => file),
  ).toEqual([])
})

test('every text of the server that sends a person to support says how', () =>
  withDatabase(async (db) => {
    expect([...sending('server'), ...sending('contract')].map(({ file }) => file)).toEqual([
      'server/users/support-words.ts',
    ])
    await ensureSettings(db)
    expect(say(...(await toContactSupport(db)))).toBe('ask the person who gave you your referral code.')
    await db.run(sql`update settings set support_url = 'https://wa.me/919812345678'`)
    expect(say(...(await toContactSupport(db)))).toBe('contact support: https://wa.me/919812345678')
  }))
