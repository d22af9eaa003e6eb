/** Puts answers into the queries that a page begins with. */
import type { api } from '../contract/api.ts'
import type { AnswerTo } from '../contract/panel-pages.ts'
import type { PageQuery } from '../contract/page.ts'
import type { Handlers } from './platform/http/http.ts'

export type AllHandlers = { [F in keyof typeof api]: Handlers<(typeof api)[F]> }

/** Undefined where the browser has to ask. */
export type Beginning = Promise<PageQuery | undefined>

/** The data of a buyer's queries, by the parts of their keys. */
interface BuyerQueries {
  'claims mine': AnswerTo<'claims', 'mine'>
  'keys mine': AnswerTo<'keys', 'mine'>
  'payments mine': AnswerTo<'payments', 'mine'>
  'payments plans active': AnswerTo<'payments', 'activePlans'>
  'wallet history': { pages: [AnswerTo<'wallet', 'history'>]; pageParams: [''] }
}

/** More than nearly every list has. The page does not wait for a longer one: the browser asks for it. */
const ROWS_MAX = 500

type Maybe<T> = T | undefined | Promise<T | undefined>
type Rows<Row> = readonly Row[] | AsyncIterable<Row>

export async function begin<Words extends keyof BuyerQueries>(
  words: Words,
  answer: Maybe<BuyerQueries[Words]>,
): Beginning {
  const data = await answer
  return data && [words.split(' '), data]
}

export async function allOf(queries: readonly Beginning[]): Promise<PageQuery[]> {
  return (await Promise.all(queries)).filter((query) => query !== undefined)
}

export function isRows(answer: unknown): answer is Rows<unknown> {
  return Array.isArray(answer) || (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
}

/** @returns all rows, or undefined when there are more than `max` */
export async function rowsOf<Row>(answer: Maybe<Rows<Row>>, max = ROWS_MAX): Promise<Row[] | undefined> {
  const rows = await answer
  if (rows === undefined) return undefined
  const read: Row[] = []
  for await (const row of rows) if (read.push(row) > max) return undefined
  return read
}
