import { useState } from 'react'
import { ApiError } from '../platform/calls/api-error.ts'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { signIn } from '../platform/session/session.ts'
import { toast } from '../platform/navigation/toast.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { confirm } from '../ui/overlays/confirm.ts'
import { isCookieless, useCookiesBlocked } from './cookies-needed.tsx'
import { carriedPassword, dropCarriedPassword } from './carried-password.ts'
import { isDeviceLocked, loginFailure, resetFailure } from './failures.ts'
import { dropDrafts, useDraft } from './use-draft.ts'

export type Message = { tone: 'ok'; text: string } | LoginFailure | null
export type LoginFailure =
  | { tone: 'bad'; text: string }
  | { tone: 'cookies' }
  | { tone: 'locked' }
  | { tone: 'closing'; closesAt: string }
  | { tone: 'blocked'; reason: string }

/** Holds the login form's state and handles its buttons, one at a time and each once. */
export function useLogin() {
  const [username, setUsername] = useDraft('login-username')
  const [password, setPassword] = useState(carriedPassword)
  const [message, setMessage] = useState<Message>(null)
  const [pending, setPending] = useState<'login' | 'reset' | 'keep'>()
  const isBlocked = useCookiesBlocked()

  /** False, and said, while a field is empty. */
  const isFilled = () => {
    const filled = username.trim() !== '' && password !== ''
    if (!filled) setMessage({ tone: 'bad', text: t('Please enter username and password first.') })
    return filled
  }
  const submitLogin = async () => {
    if (!isFilled()) return
    setPending('login')
    setMessage(null)
    try {
      const answer = await client.sessions.login({ username, password, needsCookie: true })
      dropDrafts('login-username')
      dropCarriedPassword()
      signIn(answer.user)
    } catch (error) {
      setMessage(await failureOf(error))
    }
  }
  const resetLock = async () => {
    if (!isFilled()) return
    const yes = await confirm({
      title: t('Reset the device lock for {username}?', { username: username.trim() }),
      body: t('This logs out the other device. You can then log in here.'),
      confirmLabel: t('Reset device lock'),
    })
    if (!yes) return
    setPending('reset')
    setMessage(null)
    try {
      await client.sessions.resetDeviceLock({ username, password })
      setMessage({ tone: 'ok', text: t('Device lock reset successfully! You can now login on other devices') })
    } catch (error) {
      setMessage(blockOf(error) ?? { tone: 'bad', text: resetFailure(error, await reachesStore(error)) })
    }
  }
  const keepAccount = async () => {
    setPending('keep')
    try {
      await client.privacy.keepAccount({ username, password })
    } catch (error) {
      setMessage({ tone: 'bad', text: loginFailure(error, await reachesStore(error)) })
      return
    }
    toast(t('Account deletion cancelled'))
    await submitLogin()
  }
  // Pending until its outcome is said, because a press in between would do nothing
  const start = useOneAtATime((work: () => Promise<void>) => work().finally(() => setPending(undefined)))
  return {
    credentials: { username, password, onUsername: setUsername, onPassword: setPassword },
    message: message ?? (isBlocked ? ({ tone: 'cookies' } as const) : null),
    login: { pending: pending === 'login', run: () => start(submitLogin) },
    reset: { pending: pending === 'reset', run: () => start(resetLock) },
    keep: { pending: pending === 'keep', run: () => start(keepAccount) },
  }
}

async function failureOf(error: unknown): Promise<LoginFailure> {
  const closesAt = closingOf(error)
  if (closesAt !== undefined) return { tone: 'closing', closesAt }
  const block = blockOf(error)
  if (block) return block
  if (isCookieless(error)) return { tone: 'cookies' }
  const isReachable = await reachesStore(error)
  return isDeviceLocked(error) ? { tone: 'locked' } : { tone: 'bad', text: loginFailure(error, isReachable) }
}

/** Returns why the account is blocked. Undefined for other errors. */
function blockOf(error: unknown): LoginFailure | undefined {
  const isBlocked = error instanceof ApiError && error.code === 'ACCOUNT_BLOCKED'
  return isBlocked ? { tone: 'blocked', reason: String(error.details['reason']) } : undefined
}

/** Returns when a closed account will be deleted. Undefined for other errors. */
function closingOf(error: unknown): string | undefined {
  const isClosing = error instanceof ApiError && error.code === 'ACCOUNT_CLOSING'
  return isClosing ? String(error.details['closesAt']) : undefined
}

/**
 * True if the store can be reached (`/cors-test`), asked after a call without an answer. Always true after an answer.
 */
async function reachesStore(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.code !== 'OFFLINE') return true
  return client.sessions.corsTest({}).then(
    () => true,
    () => false,
  )
}
