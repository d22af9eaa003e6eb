/** What the store does by the clock, in words for its admins. The names in code stand in the server's log. */
import { t } from '../../platform/i18n.ts'

const JOBS: Record<string, () => string> = {
  'buy-wishes': () => t('Buy what approved top-ups are for'),
  'check-books': () => t('Nightly check'),
  'clean-up': () => t('Clean up'),
  'close-accounts': () => t('Delete accounts that are due'),
  'close-books': () => t('Close the books of the day'),
  'day-summary': () => t('Send the summary of the day'),
  forget: () => t('Erase old records'),
  'forget-payers': () => t('Erase payers’ details'),
  'grade-buyers': () => t('Sort buyers into groups'),
  'look-for-version': () => t('Look for a new version'),
  'match-credits': () => t('Match bank payments'),
  'note-mailboxes': () => t('Note mailboxes of sign-ups'),
  'post-lapses': () => t('Expire wallet balances'),
  remind: () => t('Send reminders'),
  renew: () => t('Renew keys'),
  'pay-invites': () => t('Pay for invitations'),
  'tell-due-claims': () => t('Remind of claims that are due'),
  'tell-ending-links': () => t('Remind of expiring Telegram links'),
  'tell-health': () => t('Report store health'),
  'tell-sales': () => t('Report sales'),
  'tell-waiting-top-ups': () => t('Remind of top-ups that wait'),
  waiting: () => t('Serve the waiting list'),
  'watch-stock': () => t('Check stock levels'),
}

/** A job of a newer version of the store stays as it is written. */
export const jobText = (name: string): string => JOBS[name]?.() ?? name
