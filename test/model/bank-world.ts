/** The bank inbox as its tables have it, and an account and a phone to begin with. */
import * as z from 'zod/mini'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { hashToken, newId, newToken } from '../../server/platform/ids.ts'

export interface OpenBank {
  accountId: string
  deviceId: string
  /** The phone's. */
  token: string
}

/** An account that feeds the store, and a phone for it; nothing is automatic. */
export async function openBank(db: Database, now: Date): Promise<OpenBank> {
  const [accountId, deviceId, token] = [newId(), newId(), newToken()]
  await db.run(sql`
    with account as (
      insert into bank_accounts (id, bank, label, tail, feeds_store, created_by, created_at)
      select ${accountId}, 'HDFC', 'Shop', '5678', true, id, ${now} from admins returning created_by)
    insert into bank_devices (id, name, token_hash, created_by, created_at)
    select ${deviceId}, 'Till', ${hashToken(token)}, created_by, ${now} from account`)
  await db.run(sql`
    insert into bank_device_accounts (device_id, account_id) values (${deviceId}, ${accountId})`)
  return { accountId, deviceId, token }
}

const World = z.object({
  credits: z.array(
    z.object({
      id: z.string(),
      refs: z.array(z.string()),
      amount: z.number(),
      proof: z.string(),
      differs: z.boolean(),
      isSetAside: z.boolean(),
    }),
  ),
  matches: z.array(
    z.object({
      creditId: z.string(),
      topUpId: z.string(),
      how: z.string(),
      proofThen: z.string(),
      amount: z.number(),
      credited: z.number(),
      madeAt: z.coerce.date(),
      isReleased: z.boolean(),
    }),
  ),
  requests: z.array(
    z.object({ id: z.string(), userId: z.string(), utr: z.string(), amount: z.number(), status: z.string() }),
  ),
  rivals: z.array(z.object({ utr: z.string(), userId: z.string(), at: z.coerce.date() })),
  unproven: z.number(),
  day: z.string(),
  dayPaise: z.number(),
})
export type BankWorld = z.output<typeof World>

/** All at one moment. */
export async function readBank(db: Database): Promise<BankWorld> {
  const { world } = await db.one(sql(z.object({ world: World }))`
    select jsonb_build_object(
      'credits', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'amount', amount_paise, 'proof', proof,
                    'differs', differs, 'isSetAside', set_aside_at is not null,
                    'refs', array(select ref from bank_credit_refs where credit_id = credit.id)) order by id), '[]')
                    from bank_credits credit),
      'matches', (select coalesce(jsonb_agg(jsonb_build_object('creditId', credit_id, 'topUpId', topup_id, 'how', how,
                    'proofThen', proof_then, 'madeAt', made_at, 'isReleased', released_at is not null,
                    'amount', (select amount_paise from bank_credits where id = credit_id),
                    'credited', (select credit_paise from topup_requests where id = topup_id))), '[]')
                    from bank_matches),
      'requests', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'userId', user_id, 'utr', utr,
                     'amount', amount_paise, 'status', status) order by id desc), '[]') from topup_requests),
      'rivals', (select coalesce(jsonb_agg(jsonb_build_object('utr', utr, 'userId', user_id, 'at', at)), '[]')
                   from bank_rival_claims),
      'unproven', unproven_paise, 'day', day, 'dayPaise', day_paise) as world
      from bank_rules`)
  return world
}
