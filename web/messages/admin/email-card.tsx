import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { ChannelState } from '../../../contract/messages.ts'
import { t } from '../../platform/i18n.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { DemoMailboxLink } from '../demo-mailbox-link.tsx'
import { ChannelCard, ChannelForm } from './channel-card.tsx'

type Name = 'host' | 'port' | 'user' | 'password' | 'from'

const SUMMARY =
  'flex min-h-11 cursor-pointer items-center justify-between rounded-control border border-line px-3 text-sm ' +
  'font-medium hover:border-line-2'

/** E-mail by the owner's own mail server. */
export function EmailCard({ channel }: { channel: ChannelState }) {
  const [isFolded] = useState(channel.isOn)
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const field = (name: Name) => ({
    value: typed[name] ?? textOf(channel.facts[name]),
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  })
  return (
    <ChannelCard
      channel={channel}
      title={t('Email')}
      description={t('Buyers with a confirmed email get updates on their top-ups. Use the mailbox you already have.')}
    >
      <details open={!isFolded} className="group">
        <summary className={isFolded ? SUMMARY : 'hidden'}>
          {t('Mail server and sender')}
          <ChevronDown size={16} aria-hidden className="text-fg-3 group-open:rotate-180" />
        </summary>
        <ChannelForm
          change={{ name: 'email', ...typed }}
          isTyped={Object.keys(typed).length > 0}
          onSaved={() => setTyped({})}
          className="grid-cols-[1fr_8rem] sm:grid-cols-2 large-text:grid-cols-1"
        >
          {(fault) => (
            <>
              <Field label={t('Mail server')} hint={t('For example smtp.gmail.com')} error={fault('host')}>
                <Input autoCapitalize="none" spellCheck={false} {...field('host')} />
              </Field>
              <Field label={t('Port')} hint={t('Usually 465 or 587')} error={fault('port')}>
                <Input inputMode="numeric" {...field('port')} />
              </Field>
              <Field label={t('Username')} error={fault('user')} className="col-span-full sm:col-span-1">
                <Input autoCapitalize="none" spellCheck={false} {...field('user')} />
              </Field>
              <Field
                label={t('Password')}
                hint={t('Leave empty to keep the saved one. A new server needs it again.')}
                error={fault('password')}
                className="col-span-full sm:col-span-1"
              >
                <PasswordInput {...field('password')} autoComplete="new-password" />
              </Field>
              <Field label={t('Sender address')} error={fault('from')} className="col-span-full">
                <Input type="email" inputMode="email" {...field('from')} />
              </Field>
            </>
          )}
        </ChannelForm>
      </details>
      <DemoMailboxLink />
    </ChannelCard>
  )
}

export const textOf = (fact: unknown): string =>
  typeof fact === 'string' || typeof fact === 'number' ? String(fact) : ''
