/** Mistakes that a store like this has been known to make, each as changes to the sources that make it. */
import { bankBugs } from './bank-bugs.ts'
import { claimBugs } from './claim-bugs.ts'
import { codeBugs } from './code-bugs.ts'
import { fetchBugs } from './fetch-bugs.ts'
import { inviteBugs } from './invite-bugs.ts'
import { limitBugs } from './limit-bugs.ts'
import type { PlantedBug } from './plant.ts'
import { priceBugs } from './price-bugs.ts'
import { proofBugs } from './proof-bugs.ts'
import { renewalBugs } from './renewal-bugs.ts'
import { wishBugs } from './wish-bugs.ts'

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'no wallet lock',
    changes: [
      {
        file: 'server/wallet/ledger.ts',
        find: 'order by user_id for update ${wait ? sql`` : sql`skip locked`}`',
        replace: 'order by user_id`',
      },
    ],
  },
  {
    name: 'no lock on the keys',
    changes: [
      {
        file: 'server/keys/take-keys.ts',
        find: 'for update ${wait ? sql`` : sql`skip locked`}) key`',
        replace: '${wait ? sql`` : sql``}) key`',
      },
    ],
  },
  {
    // Either of the two alone keeps references of twelve digits apart
    name: 'no unique index on the UTR, and no lock',
    changes: [
      {
        file: 'server/migrations/0001_store.sql',
        find: 'create unique index topup_requests_live_utr',
        replace: 'create index topup_requests_live_utr',
      },
      {
        file: 'server/payments/same-transfer.ts',
        find: 'select pg_advisory_xact_lock(hashtextextended(number, 0))',
        replace: 'select number',
      },
    ],
  },
  {
    name: 'check outside the transaction',
    changes: [
      {
        file: 'server/wallet/ledger.ts',
        find:
          '  const [locked, lots] = await Promise.all([lockRows(tx, userIds, now, wait), openLots(tx, userIds, ' +
          'now)])',
        replace:
          '  const lots = await openLots(tx, userIds, now)\n  const locked = await lockRows(tx, userIds, now, wait)',
      },
    ],
  },
  {
    name: 'money as a float',
    changes: [
      {
        file: 'contract/money.ts',
        find: "const amount = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))",
        replace: 'const amount = Math.trunc(Number(`${whole}.${fraction}`) * 100)',
      },
    ],
  },
  {
    name: 'stale price',
    changes: [
      {
        file: 'server/orders/place-orders.ts',
        find: '{ ...found, unitPrice: paise(found.unitPrice), ',
        replace: '{ ...found, unitPrice: paise(first(wanted[ordinal - 1]?.buyerId, found)), ',
      },
      {
        file: 'server/orders/place-orders.ts',
        find: 'const AskedRow = z.object({',
        replace: `const remembered = new Map<string, number>()
function first(buyerId: string | undefined, { priceId, unitPrice }: { priceId: string; unitPrice: number }): number {
  const key = \`\${buyerId} \${priceId}\`
  remembered.set(key, remembered.get(key) ?? unitPrice)
  return remembered.get(key) ?? unitPrice
}

const AskedRow = z.object({`,
      },
    ],
  },
  {
    name: 'approved twice',
    changes: [
      {
        file: 'server/payments/top-ups.ts',
        find: "if (request?.status === 'pending') return request",
        replace: "if (request !== undefined && request.status !== 'rejected') return request",
      },
      {
        file: 'server/payments/top-ups.ts',
        find: 'from topup_requests where id = any(${ids}::uuid[]) order by id for no key update`',
        replace: 'from topup_requests where id = any(${ids}::uuid[]) order by id`',
      },
      {
        file: 'server/migrations/0001_store.sql',
        find: 'create unique index wallet_movements_one_credit',
        replace: 'create index wallet_movements_one_credit',
      },
    ],
  },
  {
    name: 'expired credit still counts',
    changes: [
      {
        file: 'server/wallet/ledger.ts',
        find: 'and is_open and (expires_at is null or expires_at > ${now})',
        replace: 'and is_open and ${now}::timestamptz is not null',
      },
      {
        file: 'server/wallet/ledger.ts',
        find: 'for (const { userId } of due) await settleExpired(tx, userId, now, post)',
        replace: 'for (const { userId } of due) if (userId === "") await settleExpired(tx, userId, now, post)',
      },
    ],
  },
  {
    name: 'a retry is a new order',
    changes: [
      {
        file: 'server/orders/place-order.ts',
        find: 'idempotencyKey === undefined ? undefined : { key: idempotencyKey, requestHash: hashRequest(request) }',
        replace: 'idempotencyKey === "never" ? { key: idempotencyKey, requestHash: hashRequest(request) } : undefined',
      },
    ],
  },
  {
    name: 'referral count race',
    changes: [
      {
        file: 'server/referrals/referral-codes.ts',
        find: `  return tx.maybe(sql(Claimed)\`
    update referral_codes
       set usage_count = usage_count + 1
     where \${isOpen(code)}
    returning id, code, reward_paise as reward, pays_after_topup, day_max_paise as day_max\`)`,
        replace: `  const claimed = await tx.maybe(sql(Claimed)\`
    select id, code, reward_paise as reward, pays_after_topup, day_max_paise as day_max
      from referral_codes
     where \${isOpen(code)}\`)
  if (claimed) {
    const { uses } = await tx.one(sql(z.object({ uses: z.number() }))\`
      select usage_count as uses from referral_codes where id = \${claimed.id}\`)
    await tx.run(sql\`update referral_codes set usage_count = \${uses + 1} where id = \${claimed.id}\`)
  }
  return claimed`,
      },
    ],
  },
  {
    name: 'keys in other hands are stepped over and not waited for',
    changes: [
      {
        file: 'server/orders/decide-orders.ts',
        find: "if (stock.length < wanted.quantity) return 'contended'",
        replace: "if (stock.length < wanted.quantity) return new Refusal('OUT_OF_STOCK')",
      },
    ],
  },
  {
    name: 'an id that leads nowhere',
    changes: [
      {
        file: 'server/orders/place-orders.ts',
        find: '{ ...offer, ...idempotency,',
        replace: '{ ...offer, productId: offer.priceId, ...idempotency,',
      },
    ],
  },
  {
    name: 'a purchase reads a table whole',
    test: 'server/orders/place-orders.test.ts',
    changes: [
      {
        file: 'server/platform/database/connecting/connection-settings.ts',
        find: 'enable_seqscan=off',
        replace: 'enable_seqscan=on',
      },
    ],
  },
  {
    name: 'credit without proof',
    test: 'test/security/credit.test.ts',
    changes: [
      {
        file: 'server/referrals/save-referral.ts',
        find: '      await allowPromise(tx, by, NOTHING, rewardsOf(after))\n',
        replace: '',
      },
    ],
  },
  {
    name: 'limits count by the clock of the machine',
    test: 'server/platform/rate-limits.test.ts',
    changes: [
      {
        file: 'server/platform/rate-limits.ts',
        find: 'const nowMs = () => clock.now().getTime()',
        replace: 'const nowMs = () => Date.now()',
      },
    ],
  },
  {
    name: 'push after a new password',
    test: 'server/admins/lasting-access.test.ts',
    changes: [
      {
        file: 'server/admins/lasting-access.ts',
        find: 'ends: (tx, { id, now, kept }) => endPhones(tx, { admin: id }, now, kept?.phone)',
        replace: 'ends: () => Promise.resolve()',
      },
    ],
  },
  ...bankBugs,
  ...claimBugs,
  ...proofBugs,
  ...wishBugs,
  ...renewalBugs,
  ...codeBugs,
  ...limitBugs,
  ...inviteBugs,
  ...fetchBugs,
  ...priceBugs,
]
