/** Puts answers into the queries that a page begins with. */
import type { api } from '../contract/api.ts'
import type { PageQuery } from '../contract/page.ts'
import type { Handlers } from './platform/http/http.ts'

export type AllHandlers = { [F in keyof typeof api]: Handlers<(typeof api)[F]> }

/** Undefined where the browser has to ask. */
export type Beginning = Promise<PageQuery | undefined>

/** More than nearly every list has. The page does not wait for a longer one: the browser asks for it. */
const ROWS_MAX = 500

type Maybe<T> = T | undefined | Promise<T | undefined>

/** @param asked the end of the query's key */
export async function begin<Words extends PageQuery[0]>(
  words: Words,
  answer: Maybe<PageQuery<Words>[1]>,
  ...asked: object[]
): Beginning {
  const data = await answer
  // Asserts the type, because a pair of generics is no member of the union
  return data && ([words, data, ...asked] as PageQuery)
}

export async function allOf(queries: readonly Beginning[]): Promise<PageQuery[]> {
  return (await Promise.all(queries)).filter((query) => query !== undefined)
}

/** @returns all rows, or undefined when there are more than `max` */
export async function rowsOf<Row>(
  answer: Maybe<readonly Row[] | AsyncIterable<Row>>,
  max = ROWS_MAX,
): Promise<Row[] | undefined> {
  const rows = await answer
  if (rows === undefined) return undefined
  const read: Row[] = []
  for await (const row of rows) if (read.push(row) > max) return undefined
  return read
}
