/** What an entry of the audit log says has changed, field by field. */

export interface Change {
  field: string
  /** Undefined where there was nothing, or is nothing any more. */
  before: string | undefined
  after: string | undefined
}

/** The fields that differ, in the order in which they were written. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const from = fieldsOf(before)
  const to = fieldsOf(after)
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap((field) => {
    const change = { field, before: textOf(from[field]), after: textOf(to[field]) }
    return change.before === change.after ? [] : [change]
  })
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value }
  return { value }
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
