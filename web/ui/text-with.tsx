import { Fragment, type ReactElement, type ReactNode } from 'react'
import { t } from '../platform/i18n.ts'

/** Marks an element's place. No person's text contains it, because fields refuse control characters. */
const MARK = '\u0001'

/**
 * Returns one message with elements in it, so that each language can put them where it needs them:
 * `textWith('Valid till {date}', { date: <Time value={expiresAt} /> })`
 */
export function textWith(text: string, values: Record<string, string | number | ReactElement>): ReactNode {
  const elements: ReactElement[] = []
  const plain = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? `${MARK}${elements.push(value) - 1}${MARK}` : value,
  ])
  return t(text, Object.fromEntries(plain))
    .split(MARK)
    .map((part, at) => <Fragment key={at}>{at % 2 === 1 ? elements[Number(part)] : part}</Fragment>)
}
