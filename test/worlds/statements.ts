import { reading } from '../../server/bank/read-statement.ts'
import type { Statement, StatementOptions } from '../../server/bank/statement.ts'
import { atOnce } from '../../server/platform/map-yielding.ts'

/** Reads a statement in one go, where no other request waits. */
export const readStatement = (text: string, options: StatementOptions = {}): Statement => atOnce(reading(text, options))
