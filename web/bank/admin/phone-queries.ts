import { useQuery } from '@tanstack/react-query'
import { bankDevices } from '../../../contract/panel-pages.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { useChange } from '../../platform/admin/use-change.ts'
import { client } from '../../platform/calls/client.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { usePollInterval } from '../../platform/calls/events.ts'
import { makesStale } from '../../platform/calls/queries.ts'

const CHANGED = makesStale(['bank'])
const POLL_INTERVAL_MS = 15_000
/** While the owner looks at the phone. */
const SETUP_POLL_INTERVAL_MS = 3_000

/** Phones that are connected, newest first. */
export function useDevices(isSettingUp = false) {
  const usual = usePollInterval(POLL_INTERVAL_MS)
  return useQuery({
    ...panelQuery(bankDevices),
    select: ({ devices }) => devices.filter(({ endedAt }) => endedAt === null),
    refetchInterval: isSettingUp ? SETUP_POLL_INTERVAL_MS : usual,
  })
}

/** False where no phone can reach the store; undefined until that is known. */
export function useHasHttps() {
  return useQuery({
    ...panelQuery(bankDevices),
    select: ({ hasHttps }) => hasHttps,
  }).data
}

/** Messages that were read by their parts. A person compares them with requests. */
export function useProposedAlerts() {
  return useQuery({
    queryKey: ['bank', 'alerts', 'proposed'],
    queryFn: ({ signal }) => client.bank.unread({ outcome: 'proposed', limit: 100 }, { signal }),
    enabled: denied(calls.bank.unread) === undefined,
  })
}

/** What a phone has sent within a day. */
export function useHeard(id: string) {
  return useQuery({
    queryKey: ['bank', 'heard', id],
    queryFn: ({ signal }) => client.bank.heard({ id }, { signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

export function useUnreadAlerts() {
  return useQuery({
    queryKey: ['bank', 'alerts', 'unread'],
    queryFn: ({ signal }) => client.bank.unread({ outcome: 'unread', limit: 20 }, { signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** Senders that owners have added. */
export function useSenders() {
  return useQuery({
    queryKey: ['bank', 'senders'],
    queryFn: ({ signal }) => client.bank.senders({}, { signal }),
    select: ({ senders }) => senders,
  })
}

export const useAddSender = () =>
  useChange((sender: { accountId: string; header: string }) => client.bank.addSender(sender), CHANGED)

export const useEndSender = () => useChange((id: string) => client.bank.endSender({ id, ended: true }), CHANGED)

/** Wordings that are only proposed. */
export function useForms() {
  return useQuery({
    queryKey: ['bank', 'forms'],
    queryFn: ({ signal }) => client.bank.forms({}, { signal }),
    select: ({ forms }) => forms,
    enabled: denied(calls.bank.forms) === undefined,
  })
}

export const useUpdateDevice = () =>
  useChange((change: { id: string; paused?: boolean; ended?: true }) => client.bank.updateDevice(change), CHANGED)
