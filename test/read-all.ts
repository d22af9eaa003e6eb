/** Everything that an async iterable gives, as an array. */
export async function readAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}
