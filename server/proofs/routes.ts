import type { proofs } from '../../contract/proofs.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { holdPayment, releasePayment } from './hold-payment.ts'
import { makeProof } from './make-proof.ts'

export const proofRoutes = (services: Services, publicOrigin: string | undefined): Handlers<typeof proofs> => ({
  read: ({ id, keys }, call) => makeProof(services, { id, isFull: keys === 'full', publicOrigin }, call),
  hold: ({ id, note, letBuy = false }, call) => holdPayment(services, { id, note, letBuy }, call),
  release: ({ id }, call) => releasePayment(services, id, call),
})
