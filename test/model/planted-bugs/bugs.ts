/** Mistakes that a store like this has been known to make, each as changes to the sources that make it. */

export interface PlantedBug {
  name: string
  changes: readonly Change[]
  /** The test that catches it, where the model cannot. */
  test?: string
}

interface Change {
  file: string
  /** Stands in the file exactly once. */
  find: string
  replace: string
}

/** @returns the source with the mistake in it. @throws when it has changed so that the mistake has no place any more */
export function plantIn(source: string, { file, find, replace }: Change): string {
  if (source.split(find).length !== 2) throw new Error(`In ${file} there is not one place with\n${find}`)
  return source.replace(find, () => replace)
}

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
        find:
          '  for (const { ordinal, isOpen, unitPrice, ...offer } of rows)\n    offers[ordinal - 1] = isOpen ? { ' +
          "...offer, unitPrice: paise(unitPrice) } : 'closed'",
        replace: `  for (const { ordinal, unitPrice, ...offer } of rows) {
    const key = \`\${wanted[ordinal - 1]?.buyerId} \${offer.priceId}\`
    remembered.set(key, remembered.get(key) ?? unitPrice)
    offers[ordinal - 1] = { ...offer, unitPrice: paise(remembered.get(key) ?? unitPrice) }
  }`,
      },
      {
        file: 'server/orders/place-orders.ts',
        find: 'const OfferRow = z.object({',
        replace: 'const remembered = new Map<string, number>()\n\nconst OfferRow = z.object({',
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
        find: 'from topup_requests where id = any(${ids}::uuid[]) order by id for update`',
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
        find:
          'where user_id = any(${userIds}::uuid[]) and remaining_paise > 0 and (expires_at is null or expires_at > ' +
          '${now})',
        replace: 'where user_id = any(${userIds}::uuid[]) and remaining_paise > 0 and ${now}::timestamptz is not null',
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
        find: `    update referral_codes
       set usage_count = usage_count + 1
     where \${isOpen(code)}
    returning id, code, reward_paise as reward\`,
  )`,
        replace: `    select id, code, reward_paise as reward
      from referral_codes
     where \${isOpen(code)}\`,
  )
  if (claimed) {
    const { uses } = await tx.one(
      z.object({ uses: z.number() }),
      sql\`select usage_count as uses from referral_codes where id = \${claimed.id}\`,
    )
    await tx.run(sql\`update referral_codes set usage_count = \${uses + 1} where id = \${claimed.id}\`)
  }`,
      },
    ],
  },
  {
    name: 'keys in other hands are stepped over and not waited for',
    changes: [
      {
        file: 'server/orders/decide-orders.ts',
        find: "if (stock.length < wanted.quantity) return 'contended'",
        replace: 'if (stock.length < wanted.quantity) return outOfStock(stock.length)',
      },
    ],
  },
  {
    name: 'bank: amount compared in rupees',
    changes: [
      {
        file: 'server/bank/decide-match.ts',
        find: 'if (credit.amountPaise !== request.amountPaise) return',
        replace: 'if (Math.floor(credit.amountPaise / 100) !== Math.floor(request.amountPaise / 100)) return',
      },
    ],
  },
  {
    name: 'bank: a rival claim is ignored',
    changes: [
      {
        file: 'server/bank/decide-match.ts',
        find: 'if (request.isContested) return',
        replace: 'if (request.isContested && credit.differs) return',
      },
    ],
  },
  {
    name: 'bank: the ceiling is read before it is written',
    changes: [
      {
        file: 'server/bank/approve-by-rules.ts',
        find: 'await readRules(tx, now, true)',
        replace: 'await readRules(tx, now)',
      },
    ],
  },
  {
    name: 'bank: a proof is not raised',
    changes: [
      {
        file: 'server/bank/record-credits.ts',
        find: 'STRENGTH[seen.proof] > STRENGTH[credit.proof]',
        replace: 'STRENGTH[seen.proof] > STRENGTH.statement',
      },
    ],
  },
  {
    name: 'bank: a proof is raised by a source that disagrees',
    changes: [
      {
        file: 'server/bank/record-credits.ts',
        find: 'again.filter(({ credit, seen }) => isSame(credit, seen)),',
        replace: 'again,',
      },
    ],
  },
  {
    name: 'bank: a reference is read from the note',
    changes: [
      {
        file: 'server/bank/references.ts',
        find: 'const refs = (isBank ? [bankRef] : printed)',
        replace:
          'const noted = /UPI (\\d{12})$/.exec(text)?.[1]\n  const refs = (isBank ? [bankRef] : [...printed, noted])',
      },
    ],
  },
  {
    name: 'bank: a request is not read again under the lock',
    test: 'server/bank/automation.test.ts',
    changes: [
      {
        file: 'server/bank/approve-by-rules.ts',
        find: 'const lots = await lockWallets(',
        replace: 'const early = await readLocked(tx, some)\n    const lots = await lockWallets(',
      },
      {
        file: 'server/bank/approve-by-rules.ts',
        find: 'chooseAllowed(tx, await readLocked(tx, some), rules, now)',
        replace: 'chooseAllowed(tx, early, rules, now)',
      },
    ],
  },
  {
    name: 'bank: swapped labels are preferred',
    test: 'server/bank/read-statement.test.ts',
    changes: [
      {
        file: 'server/bank/statement-balances.ts',
        find: 'return provenBy(fitting, steps)\n\n  const turned = swappedReading(steps, readings, known)',
        replace: '{}\n\n  const turned = swappedReading(steps, readings, known)',
      },
      {
        file: 'server/bank/statement-balances.ts',
        find: '  if (turned) return provenBy([turned], steps)',
        replace:
          '  if (turned) return provenBy([turned], steps)\n  if (fitting.length > 0) return provenBy(fitting, steps)',
      },
      {
        file: 'server/bank/statement-balances.ts',
        find: 'if (printed.some(({ fits }) => fits.size > 0)) return undefined',
        replace: 'if (printed.length === 0) return undefined',
      },
    ],
  },
]
