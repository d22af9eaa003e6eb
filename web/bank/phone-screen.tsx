import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { ApiError, errorMessage } from '../platform/calls/api-error.ts'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { useLocation } from '../platform/navigation/router.tsx'
import { Brand } from '../ui/page/brand.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { DeadLink } from '../ui/page/dead-link.tsx'
import { Page } from '../ui/page/page.tsx'
import { LanguageChoice } from '../ui/page/language-choice.tsx'
import { ThemeToggle } from '../ui/page/theme-toggle.tsx'
import { Setup, type Connection } from './phone-setup.tsx'
import { phoneWords, type PhoneWords } from './phone-words.ts'

/**
 * Opens from the QR code of the panel on the shopkeeper's phone. The code is behind the #, which browsers never send,
 * and the token lives in this page's memory alone.
 */
export function PhoneScreen() {
  const { hash } = useLocation()
  const words = phoneWords()
  return (
    <div className="mx-auto w-full max-w-120 px-4 pb-5">
      <header className="mb-6 flex h-16 items-center justify-between gap-4">
        <Brand />
        <ThemeToggle />
      </header>
      <main id="main" tabIndex={-1}>
        <Page title={t('Connect a phone')}>
          <Connecting key={hash} code={hash.slice(1)} words={words} />
        </Page>
      </main>
    </div>
  )
}

function Connecting({ code, words }: { code: string; words: PhoneWords }) {
  const [connection, setConnection] = useState<Connection>()
  const pair = useMutation({ mutationFn: () => client.bank.pair({ code }), onSuccess: setConnection, gcTime: 0 })
  if (connection) return <Setup connection={connection} words={words} />
  const isDead = code === '' || (pair.error instanceof ApiError && pair.error.code === 'PAIRING_INVALID')
  return (
    <div className="grid gap-4">
      {isDead ? (
        <DeadLink why={code === '' ? words.noCode : words.dead} />
      ) : (
        <>
          <p className="text-fg-2">{words.connectHint}</p>
          <FormError>{pair.error && errorMessage(pair.error)}</FormError>
          <Button wide pending={pair.isPending} onClick={() => pair.mutate()}>
            {words.connect}
          </Button>
        </>
      )}
      {/* Shown now, because a page that loads again has lost the token */}
      <LanguageChoice />
    </div>
  )
}
