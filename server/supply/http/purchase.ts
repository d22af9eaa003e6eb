import type { SupplyTemplate } from '../../../contract/supply.ts'
import { OutboundRefused, type Outbound } from '../../platform/outbound.ts'
import { ORDER_BYTES_MAX } from '../chaabi/call.ts'
import { readAnswer } from './answer.ts'
import { requestOf } from './template.ts'

/** Buys by one request. */
export async function buyByTemplate(
  outbound: Outbound,
  template: SupplyTemplate,
  values: Required<Parameters<typeof requestOf>[1]>,
  signal: AbortSignal | undefined,
): Promise<ReturnType<typeof readAnswer>> {
  const { method, url, headers: texts, body } = requestOf(template, values)
  // Node takes the bytes of a header one by one
  const headers = Object.fromEntries([...texts].map(([name, text]) => [name, Buffer.from(text).toString('latin1')]))
  const request = { method, url, headers, ...(body !== '' && { body }) }
  try {
    const answer = await outbound.call({ ...request, answerBytesMax: ORDER_BYTES_MAX + 1, signal })
    return readAnswer(template, answer, values.quantity)
  } catch (error) {
    return { is: 'unknown', why: error instanceof OutboundRefused ? 'address' : 'silent' }
  }
}
