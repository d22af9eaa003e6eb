import { reading } from '../../server/bank/read-statement.ts'
import type { Statement, StatementOptions } from '../../server/bank/statement.ts'

/** Reads a statement in one go, where no other request waits. */
export function readStatement(text: string, options: StatementOptions = {}): Statement {
  const work = reading(text, options)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
