/** A feature's screens in the panel, for the test that visits them as each role. */
import type { Endpoint } from '../../../contract/endpoint.ts'

export interface Screen {
  path: string
  /** The call that it is made of. */
  call?: Endpoint
  /** Of each kind the first one on the screen: what it is, its name, and the call that it makes. */
  controls: ['button' | 'switch', string | RegExp, Endpoint][]
}
