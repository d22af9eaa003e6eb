/** A feature's part of the walk over the contract. A call or a refusal that is forgotten does not compile. */
import type { Api } from '../../contract/api.ts'
import type { RefusalCode } from '../../contract/errors.ts'
import type { Places } from '../leaks/places.ts'
import type { Shop } from '../worlds/shop.ts'
import type { Answer } from '../store.ts'

/**
 * Prepares with the typed client (`shop.owner.api`), and makes the call itself by method and path (`shop.owner.get`),
 * so that the walk for leaks can put another admin in the owner's place for that one call.
 */
export type Act = (shop: Shop) => Promise<Answer>

type RefusalsOf<E> = E extends { refusals: readonly (infer C extends RefusalCode)[] } ? C : never

export interface Walk<F extends keyof Api> {
  /** One call of each endpoint that succeeds. */
  succeed: { [N in keyof Api[F]]: Act }
  /** Each refusal that an endpoint declares, provoked. */
  refuse: { [N in keyof Api[F] as RefusalsOf<Api[F][N]> extends never ? never : N]: Record<RefusalsOf<Api[F][N]>, Act> }
  /**
   * Where roles see what belongs to somebody else. What is in no row is seen by its owner alone; a password, a token, a
   * seed or a code by nobody. Each row is tried: one that shows nothing to a role that it names is out of date, and
   * fails.
   */
  shows?: { [N in keyof Api[F]]?: Places }
  /** Has somebody tell the store what the feature keeps about them. @returns each secret by its kind */
  plants?: (shop: Shop) => Promise<Record<string, string>>
}
