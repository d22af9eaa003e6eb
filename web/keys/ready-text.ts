import { t } from '../platform/i18n.ts'

export const readyText = (count: number): string =>
  t('{count, plural, one {Your key is ready} other {Your # keys are ready}}', { count })
