/** The calls of buyers' other pages. They come right after the first load, with what each page fetches next. */
import type { EndpointTable } from '../../../contract/client.ts'

declare const __LATER_ENDPOINTS__: EndpointTable

export const laterCalls = __LATER_ENDPOINTS__
