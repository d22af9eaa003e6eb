import * as z from 'zod/mini'
import { paise } from '../../contract/money.ts'

/** An amount in a row that is reckoned with. */
export const InPaise = z.pipe(z.number(), z.transform(paise))
