/** Makes the admins' calls known. The panel's frame imports it, and no panel screen is drawn without that. */
import type { EndpointTable } from '../../../contract/client.ts'
import { ENDPOINTS } from '../calls/client.ts'

declare const __PANEL_ENDPOINTS__: EndpointTable

for (const [feature, calls] of Object.entries(__PANEL_ENDPOINTS__)) {
  ENDPOINTS[feature] = { ...ENDPOINTS[feature], ...calls }
}
