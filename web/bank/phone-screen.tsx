import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { ApiError, errorMessage } from '../platform/calls/api-error.ts'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { useLocation } from '../platform/navigation/router.tsx'
import { Brand } from '../ui/page/brand.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { Copyable } from '../ui/buttons/copyable.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { Page } from '../ui/page/page.tsx'
import { Segmented } from '../ui/fields/segmented.tsx'
import { WORDS, type AppName, type Language, type PhoneWords } from './phone-words.ts'

const APPS: readonly { value: AppName; label: string }[] = [
  { value: 'macrodroid', label: 'MacroDroid' },
  { value: 'forwarder', label: 'SMS to URL' },
  { value: 'smsforwarder', label: 'SmsForwarder' },
  { value: 'iphone', label: 'iPhone' },
]
const FILTER = 'credited|received|deposited'

/** What each app needs, with its own names for text and sender. */
const BODIES: Record<AppName, string> = {
  macrodroid: '[sms_message]',
  forwarder: '{"from":"%from%","text":"%text%"}',
  smsforwarder: 'from=[from]&content=[content]&timestamp=[timestamp]',
  iphone: '{"text":"Message","from":"Sender"}',
}

interface Connection {
  device: { name: string }
  token: string
  url: string
}

/**
 * Opens from the QR code of the panel on the shopkeeper's phone. The code is behind the #, which browsers never send,
 * and the token lives in this page's memory alone.
 */
export function PhoneScreen() {
  const { hash } = useLocation()
  const [language, setLanguage] = useState<Language>('en')
  const words = WORDS[language]()
  return (
    <main id="main" tabIndex={-1} lang={language} className="mx-auto grid w-full max-w-120 gap-5 px-4 py-5">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <Brand />
        <Segmented
          label={t('Language')}
          options={[
            { value: 'en', label: 'English' },
            { value: 'hi', label: 'हिन्दी' },
          ]}
          value={language}
          onChange={setLanguage}
        />
      </header>
      <Page title={t('Connect a phone')}>
        <Connecting key={hash} code={hash.slice(1)} words={words} />
      </Page>
    </main>
  )
}

function Connecting({ code, words }: { code: string; words: PhoneWords }) {
  const [connection, setConnection] = useState<Connection>()
  const pair = useMutation({ mutationFn: () => client.bank.pair({ code }), onSuccess: setConnection, gcTime: 0 })
  if (connection) return <Setup connection={connection} words={words} />
  const isDead = code === '' || (pair.error instanceof ApiError && pair.error.code === 'PAIRING_INVALID')
  return (
    <div className="grid gap-4">
      <p className="text-fg-2">{isDead ? words.dead : words.connectHint}</p>
      <FormError>{pair.error && !isDead ? errorMessage(pair.error) : undefined}</FormError>
      {!isDead && (
        <Button wide pending={pair.isPending} onClick={() => pair.mutate()}>
          {words.connect}
        </Button>
      )}
    </div>
  )
}

function Setup({ connection: { device, token, url }, words }: { connection: Connection; words: PhoneWords }) {
  const [app, setApp] = useState<AppName>('macrodroid')
  const [isHeard, setIsHeard] = useState(false)
  const header = `Bearer ${token}`
  const test = useMutation({
    mutationFn: async () => {
      const { ok } = await fetch('/api/bank/alerts', {
        method: 'POST',
        headers: { authorization: header, 'content-type': 'text/plain' },
        body: 'Test',
      })
      if (!ok) throw new Error(t('The store can’t be reached. Check your connection and try again.'))
    },
    onSuccess: () => setIsHeard(true),
  })
  return (
    <div className="grid gap-4">
      <p role="status" className="flex items-start gap-2 font-semibold text-ok">
        <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />
        {words.connected.replace('{name}', device.name)}
      </p>
      <p className="text-sm text-fg-2">{words.once}</p>
      <Segmented label={t('App')} options={APPS} value={app} onChange={setApp} />
      <ol className="grid list-decimal gap-1.5 pl-5 text-sm">
        {words.steps[app].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Value label={words.address} text={url || `${location.origin}/api/bank/alerts`} what={t('address')} />
      {app === 'forwarder' ? (
        <Value label={words.header} text={JSON.stringify({ Authorization: header })} what={t('header')} />
      ) : (
        <Value label={`${words.header}: Authorization`} text={header} what={t('header')} />
      )}
      {app === 'macrodroid' && (
        <Value label={`${words.header}: X-Alert-Sender`} text="[sms_number]" what={t('sender header')} />
      )}
      <Value label={words.body} text={BODIES[app]} what={t('body')} />
      <Value label={words.filter} text={FILTER} what={t('filter')} />
      <p className="text-sm">{words.battery}</p>
      <Button wide variant={isHeard ? 'secondary' : 'primary'} pending={test.isPending} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      {isHeard && (
        <p role="status" className="flex items-start gap-2 text-ok">
          <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />
          {words.works}
        </p>
      )}
      <FormError>{test.error ? errorMessage(test.error) : undefined}</FormError>
      <p className="text-sm text-fg-2">{words.testHint}</p>
    </div>
  )
}

function Value({ label, text, what }: { label: string; text: string; what: string }) {
  return (
    <div className="grid gap-1">
      <p className="text-sm font-medium">{label}</p>
      <Copyable text={text} what={what} />
    </div>
  )
}
