/** Batches of redeem codes for tests. */
import { dayAfter, dayOf } from '../../contract/india.ts'
import type { TestStore } from '../store.ts'

/** A form for two gifts of ₹100, which can be redeemed for 30 days and last for 60. */
export const codeForm = ({ clock }: Pick<TestStore, 'clock'>, more: object = {}) => ({
  name: 'Diwali',
  count: 2,
  amount: 100,
  sold: false,
  codeUntil: dayAfter(dayOf(clock.now()), 30),
  creditDays: 60,
  ...more,
})
