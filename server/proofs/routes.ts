import type { proofs } from '../../contract/proofs.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { makeProof } from './make-proof.ts'

export const proofRoutes = (services: Services): Handlers<typeof proofs> => ({
  read: ({ id, keys }, call) => makeProof(services, { id, isFull: keys === 'full' }, call),
})
