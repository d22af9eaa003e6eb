import { t } from '../platform/i18n.ts'
import { Panel } from '../ui/panel.tsx'
import { ChoiceList } from './choice-list.tsx'
import { PushSwitch } from './push-switch.tsx'

/** For the account: what the buyer is told, and whether this phone gets it. */
export function MessagesPanel() {
  return (
    <Panel title={t('Messages')} description={t('Choose what we notify you about, and how.')}>
      <div className="grid gap-3">
        <PushSwitch as="user" />
        <ChoiceList as="user" />
      </div>
    </Panel>
  )
}
