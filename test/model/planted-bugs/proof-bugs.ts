/** Mistakes with the proofs that admins give. */
import type { PlantedBug } from './plant.ts'

export const proofBugs: readonly PlantedBug[] = [
  {
    name: 'proof skipped without a second factor',
    test: 'test/security/password-proof.test.ts',
    changes: [
      {
        file: 'server/platform/http/call.ts',
        find: 'return !admin || (admin.provenAt',
        replace: 'return !admin?.hasSecondFactor || (admin.provenAt',
      },
    ],
  },
  {
    name: 'listing without a proof',
    test: 'test/security/sold-and-said.test.ts',
    changes: [
      {
        file: 'server/catalogue/offers.ts',
        find: '(product.is_listed and product.deleted_at is null and price.removed_at is null)',
        replace: '(product.deleted_at is null and price.removed_at is null)',
      },
    ],
  },
]
