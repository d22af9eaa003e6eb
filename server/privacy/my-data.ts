/** All data that the store keeps about a buyer, for that buyer. */
import type { MyData } from '../../contract/privacy.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'

type Kept = Omit<MyData, 'exportedAt'>
/** A list that grows with the years is sent while it is read. */
type Part<T> = Promise<T> | (T extends readonly (infer Row)[] ? AsyncIterable<Row> : never)

/** Each feature's part, in the order of the file. A missing one does not compile. */
export type OwnData = { readonly [K in keyof Kept]: (services: Services, userId: string, now: Date) => Part<Kept[K]> }
type Answered = { [K in keyof Kept]: Awaited<Part<Kept[K]>> } & Pick<MyData, 'exportedAt'>

export async function readMyData(services: Services, { user, now }: Call<'user'>, own: OwnData): Promise<Answered> {
  const parts = await Promise.all(
    Object.entries(own).map(async ([name, read]) => [name, await read(services, user.id, now)] as const),
  )
  return { exportedAt: now.toISOString(), ...Object.fromEntries(parts) } as Answered
}
