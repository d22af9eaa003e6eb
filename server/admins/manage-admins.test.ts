import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { sql } from '../platform/database/database.ts'
import { changeAdmin, createAdmin, listAdmins } from './manage-admins.ts'

test('an owner who is disabled while a password is hashed makes nobody an owner, and changes nobody', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const call = await givenAdminCall(db)
    const other = await createAdmin(
      services,
      { username: 'second', password: 'a second long one', role: 'owner' },
      call,
    )
    await db.run(sql`update admins set disabled_at = ${call.now} where id = ${call.admin.id}`)
    const before = await listAdmins(db)

    const made = createAdmin(services, { username: 'third', password: 'a third long one', role: 'owner' }, call)
    await expect(made).rejects.toMatchObject({ code: 'NO_SESSION' })
    const changed = changeAdmin(services, { id: other._id, password: 'another long one' }, call)
    await expect(changed).rejects.toMatchObject({ code: 'NO_SESSION' })

    expect(await listAdmins(db)).toEqual(before)
  }))
