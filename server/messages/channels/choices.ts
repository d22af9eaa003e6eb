/** Which messages a person wants, and how. Without a choice the kind decides. */
import * as z from 'zod/mini'
import { ADMIN_ROLES, type AdminRole } from '../../../contract/endpoint.ts'
import { isByDefault, isTold, kindOf, KIND_NAMES } from '../../../contract/message-kinds.ts'
import type { MessageChoice } from '../../../contract/messages.ts'
import { columns, sql, type Queries } from '../../platform/database/database.ts'
import { readChannels } from './channels.ts'

/** A buyer, or an admin with a role. */
interface Chooser {
  id: string
  role?: AdminRole
}

/** @returns the admin with the role of this moment, or the buyer */
export async function chooserOf(
  db: Queries,
  { user, admin }: { user: { id: string } | null; admin: { id: string } | null },
): Promise<Chooser> {
  if (!admin) return { id: user?.id ?? '' }
  const { role } = await db.one(
    sql(() => z.object({ role: z.enum(ADMIN_ROLES) }))`select role from admins where id = ${admin.id}`,
  )
  return { id: admin.id, role }
}

const Row = z.object({ kind: z.string(), channel: z.string(), on: z.boolean() })

/** @returns a choice for each kind and each channel that is on, because a channel that is off is not offered */
export async function readChoices(db: Queries, { id, role }: Chooser): Promise<{ choices: MessageChoice[] }> {
  const chosen = await db.rows(
    sql(Row)`select kind, channel, is_on as "on" from message_choices where owner_id = ${id}`,
  )
  const isOn = new Set((await readChannels(db)).flatMap((channel) => (channel.isOn ? channel.name : [])))
  const choosable = KIND_NAMES.filter((kind) => !kindOf(kind).isAnswer)
  const kinds = choosable.filter((kind) => (role === undefined ? kindOf(kind).to === 'buyer' : isTold(kind, role)))
  return {
    choices: kinds.flatMap((kind) =>
      kindOf(kind)
        .channels.filter((channel) => isOn.has(channel))
        .map((channel) => ({
          kind,
          channel,
          on: chosen.find((row) => row.kind === kind && row.channel === channel)?.on ?? isByDefault(kind, channel),
        })),
    ),
  }
}

export async function saveChoices(db: Queries, { id }: Chooser, choices: readonly MessageChoice[]): Promise<void> {
  await db.run(sql`
    insert into message_choices (owner_id, kind, channel, is_on)
    select distinct on (kind, channel) ${id}::uuid, kind, channel, is_on
      from ${columns(
        choices.map(({ on, ...choice }, position) => ({ ...choice, isOn: on, position })),
        'kind text, channel text, is_on boolean, position int',
      )} as choice
     order by kind, channel, position desc
    on conflict (owner_id, kind, channel) do update set is_on = excluded.is_on`)
}
