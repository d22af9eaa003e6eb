import { reading } from '../../server/bank/reading/statements/read-statement.ts'
import type { Statement, StatementOptions } from '../../server/bank/reading/statements/statement.ts'
import { atOnce } from '../../server/platform/load/map-yielding.ts'

type Options = Pick<StatementOptions, 'columns'> & { closingBefore?: number }

/** @param closingBefore what an earlier file ended with, in paise */
export const optionsOf = ({ closingBefore, ...options }: Options): StatementOptions => ({
  ...options,
  ...(closingBefore !== undefined && { closingBefore: () => [closingBefore] }),
})

/** Reads a statement in one go, where no other request waits. */
export const readStatement = (text: string, options: Options = {}): Statement =>
  atOnce(reading(text, optionsOf(options)))
