/** Messages to buyers whose group has changed by what they bought (server/users/grade-buyers.ts). */
import * as z from 'zod/mini'
import { sql } from '../../platform/database/database.ts'
import type { Tell } from './wording.ts'

const Group = z.object({ name: z.string(), percentOff: z.number() })

const tellGroup: Tell = async ({ kind, userId, data: { was } }, { db, t }) => {
  const group = await db.maybe(sql(Group)`
    select buyers.name, percent_off from users join buyer_groups buyers on buyers.id = users.group_id
     where users.id = ${userId}`)
  const words = { path: '/buy', tag: kind }
  if (group) {
    const { name, percentOff: percent } = group
    return {
      ...words,
      title:
        percent > 0
          ? t('You’re in {group}: {percent}% off', { group: name, percent })
          : t('You’re in {group}', { group: name }),
      body: t('What you bought in 90 days has earned you these prices.'),
    }
  }
  if (was === undefined) return { gone: 'No longer in a group' }
  return {
    ...words,
    title: t('Your {group} prices have ended', { group: was }),
    body: t('What you buy in 90 days can bring them back.'),
  }
}

export const groupWords = { 'group.changed': tellGroup }
