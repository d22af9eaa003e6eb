/** All columns with encrypted values. `server/operations/rotate-keys.test.ts` finds one that is missing here. */
export const SEALED_COLUMNS = [
  { table: 'license_keys', key: 'id', type: 'uuid', column: 'sealed' },
  { table: 'withdrawn_keys', key: 'id', type: 'uuid', column: 'sealed' },
  { table: 'admins', key: 'id', type: 'uuid', column: 'totp_sealed' },
  { table: 'admins', key: 'id', type: 'uuid', column: 'totp_pending' },
  { table: 'bank_credits', key: 'id', type: 'uuid', column: 'payer_sealed' },
  { table: 'bank_forms', key: 'id', type: 'uuid', column: 'text_sealed' },
  { table: 'bank_heard', key: 'id', type: 'uuid', column: 'text_sealed' },
  { table: 'bank_sightings', key: 'id', type: 'uuid', column: 'text_sealed' },
  { table: 'channels', key: 'name', type: 'text', column: 'sealed' },
  { table: 'push_subscriptions', key: 'id', type: 'uuid', column: 'sealed' },
  { table: 'sealed_secrets', key: 'name', type: 'text', column: 'sealed' },
] as const
