import { reading } from '../../server/bank/statements/read-statement.ts'
import type { Statement, StatementOptions } from '../../server/bank/statements/statement.ts'
import { atOnce } from '../../server/platform/load/map-yielding.ts'

/** Reads a statement in one go, where no other request waits. */
export const readStatement = (text: string, options: StatementOptions = {}): Statement => atOnce(reading(text, options))
