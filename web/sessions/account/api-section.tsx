import { KeySquare, Plus } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import type { ApiToken } from '../../../contract/tokens.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { agoText } from '../../platform/ago.ts'
import { client } from '../../platform/calls/client.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Loaded } from '../../ui/page/loaded.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'

const TokenDialog = lazyPart(() => import('./token-dialog.tsx').then((file) => file.TokenDialog))

/** A reseller's tokens, the way to a new one, and the end of each. */
export function ApiSection({ username }: { username: string }) {
  const list = useQuery({
    queryKey: ['sessions', 'tokens'],
    queryFn: ({ signal }) => client.sessions.tokens({}, { signal }),
  })
  return (
    <div className="grid gap-4">
      <Loaded query={list} skeleton="h-14">
        {({ tokens }) =>
          tokens.length === 0 ? (
            <EmptyState
              icon={<KeySquare size={22} />}
              title={t('No tokens yet')}
              text={t('With a token, your own website or program can buy here day and night, from your wallet.')}
              className="py-6!"
            />
          ) : (
            <ul className="divide-y divide-line" aria-label={t('Tokens')}>
              {tokens.map((token) => (
                <TokenRow key={token._id} token={token} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Button
        variant="secondary"
        className="justify-self-start"
        icon={<Plus size={17} aria-hidden />}
        onClick={() => openDialog(TokenDialog, { username })}
      >
        {t('New token')}
      </Button>
    </div>
  )
}

function TokenRow({ token }: { token: ApiToken }) {
  const { _id: id, name, canBuy, addresses, expiresAt, lastUsedAt } = token
  const now = useNow(MINUTE_MS)
  const isExpired = Date.parse(expiresAt) <= now
  const end = useCall('sessions.endToken', { onSuccess: () => toast(t('Token ended')), onError: toastError })
  const ask = async () => {
    const isSure = await confirm({
      title: t('End the token “{name}”?', { name }),
      body: t('Its program can no longer look up or buy. This can’t be undone.'),
      confirmLabel: t('End token'),
      danger: true,
    })
    if (isSure) end.mutate({ id })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-48 text-sm">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          <span className="min-w-0">{name}</span>
          <Chip tone={isExpired ? 'bad' : canBuy ? 'ok' : 'neutral'}>
            {isExpired ? t('Expired') : canBuy ? t('May buy') : t('May look up')}
          </Chip>
        </p>
        <p className="text-xs wrap-anywhere text-fg-3">
          {lastUsedAt ? t('Used {ago}', { ago: agoText(lastUsedAt, now) }) : t('Never used')} ·{' '}
          {textWith(isExpired ? 'Ended {date}' : 'Ends {date}', { date: <Time value={expiresAt} format="date" /> })}
          {addresses.length > 0 && (
            <>
              {' · '}
              <span translate="no">{addresses.join(', ')}</span>
            </>
          )}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        pending={end.isPending}
        aria-label={t('End the token “{name}”', { name })}
        onClick={() => void ask()}
      >
        {t('End')}
      </Button>
    </li>
  )
}
