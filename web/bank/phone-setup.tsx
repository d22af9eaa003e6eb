import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Circle, CircleCheck, Download, ShieldAlert } from 'lucide-react'
import { NOT_OURS, toApiError } from '../platform/calls/client.ts'
import { useFace } from '../platform/calls/site.ts'
import { saveBlob } from '../platform/files/save-file.ts'
import { t } from '../platform/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Copyable } from '../ui/buttons/copyable.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { Segmented } from '../ui/fields/segmented.tsx'
import { APPS, BODIES, filtersOf, headersOf, macroOf, type AppName } from './phone-apps.ts'
import type { PhoneWords } from './phone-words.ts'
import { SmsFloor } from './sms-floor.tsx'

const POLL_INTERVAL_MS = 3_000

export interface Connection {
  device: { name: string }
  token: string
  url: string
}

interface Done {
  test: string
  reached: boolean
  sms: boolean
  bank: boolean
  smsAbove?: number
}

export function Setup({ connection: { device, token, url }, words }: { connection: Connection; words: PhoneWords }) {
  const [app, setApp] = useState<AppName>('macrodroid')
  const address = url || `${location.origin}/api/bank/alerts`
  return (
    <div className="grid gap-4">
      <p role="status" className="flex items-start gap-2 font-semibold text-ok">
        <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />
        {words.connected.replace('{name}', device.name)}
      </p>
      <p className="text-sm text-fg-2">{words.once}</p>
      <Segmented label={t('App')} options={APPS} value={app} onChange={setApp} />
      {app === 'macrodroid' ? (
        <WithMacro address={address} token={token} words={words} />
      ) : (
        <ByHand app={app} address={address} token={token} words={words} />
      )}
      <p className="text-sm">{words.battery}</p>
      <Checks token={token} words={words} />
    </div>
  )
}

interface HowTo {
  address: string
  token: string
  words: PhoneWords
}

/** One file in place of seven values to paste. The written way stays for phones that do not open it. */
function WithMacro(how: HowTo) {
  const { address, token, words } = how
  const { websiteName } = useFace()
  const save = () => saveBlob('bank-sms.macro', new Blob([macroOf(websiteName, address, token)], { type: MACRO_TYPE }))
  return (
    <>
      <Steps steps={[words.rcs, ...words.macro]} />
      <PlayProtect words={words} />
      <Button wide icon={<Download size={17} aria-hidden />} onClick={save}>
        {t('Save the macro')}
      </Button>
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer items-center text-sm text-brand hover:underline">
          {words.byHand}
          <ChevronDown size={14} aria-hidden className="ml-1 transition-transform group-open:rotate-180" />
        </summary>
        <div className="mt-2 grid gap-4">
          <ByHand app="macrodroid" {...how} />
        </div>
      </details>
    </>
  )
}

/** A browser would give a file of a known type another ending. */
const MACRO_TYPE = 'application/octet-stream'

function ByHand({ app, address, token, words }: HowTo & { app: AppName }) {
  const filters = filtersOf(app)
  const isMacroDroid = app === 'macrodroid'
  return (
    <>
      <Steps steps={[...(isMacroDroid ? [] : [app === 'iphone' ? words.iphoneRcs : words.rcs]), ...words.steps[app]]} />
      {!isMacroDroid && app !== 'iphone' && <PlayProtect words={words} />}
      <Value label={words.address} texts={[address]} what={t('address')} />
      {headersOf(app, token).map(({ name, text, what }) => (
        <Value key={what} label={name ? `${words.header}: ${name}` : words.header} texts={[text]} what={what} />
      ))}
      <Value label={words.body} texts={[BODIES[app]]} what={t('body')} />
      <Value label={filters.length > 1 ? words.filterWords : words.filter} texts={filters} what={t('filter')} />
    </>
  )
}

function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="grid list-decimal gap-1.5 pl-5 text-sm">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}

/** These are ticked off by messages that reach the store. The page itself cannot tick them. */
function Checks({ token, words }: { token: string; words: PhoneWords }) {
  const { data, error } = useQuery({
    queryKey: ['phone', token],
    queryFn: async ({ signal }): Promise<Done> => {
      const answer = await fetch('/api/bank/devices/own', {
        headers: { authorization: `Bearer ${token}` },
        signal,
      }).catch(() => undefined)
      if (!answer) throw new Error(t('The store can’t be reached. Check your connection and try again.'))
      const body = (await answer.json().catch(() => undefined)) as Done | undefined
      if (!body) throw await toApiError(answer, NOT_OURS)
      if (!answer.ok) throw await toApiError(answer, body)
      return body
    },
    refetchInterval: ({ state }) => (state.data?.bank ? false : POLL_INTERVAL_MS),
    gcTime: 0,
  })
  if (!data) return <FormError>{error?.message}</FormError>
  return (
    <section className="grid gap-3 rounded-card border border-line p-4">
      <h2 className="font-semibold">{words.checks}</h2>
      <ol className="grid gap-3 text-sm">
        <Check done={data.reached} name={words.checkAddress} hint={words.checkAddressHint} />
        <Check done={data.sms} name="SMS" hint={words.checkSmsHint}>
          <Copyable text={data.test} what={t('test message')} />
        </Check>
        <Check done={data.bank} name={words.checkBank} hint={words.checkBankHint} />
      </ol>
      <SmsFloor above={data.smsAbove} />
      <p role="status" className={data.bank ? 'font-semibold text-ok' : 'text-sm text-fg-2'}>
        {data.bank ? words.works : words.waits}
      </p>
    </section>
  )
}

interface CheckProps {
  done: boolean
  name: string
  hint: string
  children?: React.ReactNode
}

function Check({ done, name, hint, children }: CheckProps) {
  const Icon = done ? CircleCheck : Circle
  return (
    <li className="flex items-start gap-2">
      <Icon
        size={18}
        className={`mt-0.5 shrink-0 ${done ? 'text-ok' : 'text-fg-3'}`}
        role="img"
        aria-label={done ? t('done') : t('open')}
      />
      <div className="grid min-w-0 grow gap-1">
        <p className="font-medium">{name}</p>
        {!done && <p className="text-fg-2">{hint}</p>}
        {!done && children}
      </div>
    </li>
  )
}

/** How Android warns of apps that read SMS, so that nobody takes it for a fault. */
function PlayProtect({ words }: { words: PhoneWords }) {
  return (
    <figure className="grid gap-1.5">
      <div
        aria-hidden
        lang="en"
        translate="no"
        className="flex items-center gap-3 rounded-card border border-line bg-raised p-3 text-sm"
      >
        <ShieldAlert size={28} className="shrink-0 text-bad" />
        <div>
          <p className="font-semibold">App blocked to protect your device</p>
          <p className="text-fg-2">This app can request access to sensitive data. — Play Protect</p>
        </div>
      </div>
      <figcaption className="text-xs text-fg-2">{words.playProtect}</figcaption>
    </figure>
  )
}

function Value({ label, texts, what }: { label: string; texts: readonly string[]; what: string }) {
  return (
    <div className="grid gap-1">
      <p className="text-sm font-medium">{label}</p>
      {texts.map((text) => (
        <Copyable key={text} text={text} what={texts.length > 1 ? `${what} ${text}` : what} />
      ))}
    </div>
  )
}
