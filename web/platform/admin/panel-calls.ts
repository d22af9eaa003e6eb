/** Makes the admins' calls known. The panel's frame imports it, and no panel screen is drawn without that. */
import type { EndpointTable } from '../../../contract/client.ts'
import { addCalls } from '../calls/client.ts'

declare const __PANEL_ENDPOINTS__: EndpointTable

addCalls(__PANEL_ENDPOINTS__)
