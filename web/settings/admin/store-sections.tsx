/** Rows for the support link, the rules of top-ups and refunds, and the confirmation of wallet changes. */
import type { ReactNode } from 'react'
import { IndianRupee, MessageCircle, ShieldCheck, Undo2, type LucideIcon } from 'lucide-react'
import { REFUND_NOTE_LENGTH_MAX } from '../../../contract/limits.ts'
import type { OtherTexts } from '../../../contract/owner-texts.ts'
import type { StoreSettings } from '../../../contract/settings.ts'
import { readSupportLink, supportPlace } from '../../../contract/support-link.ts'
import { client } from '../../platform/calls/client.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { OtherLanguages } from '../../ui/admin/forms/other-languages.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Textarea } from '../../ui/fields/textarea.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Row } from '../../ui/page/row.tsx'
import {
  failure,
  SettingsForm,
  SUPPORT_SECTION,
  useSettings,
  useStoreSettings,
} from '../../ui/admin/forms/settings-form.tsx'

type TextName =
  | 'supportUrl'
  | 'topupMax'
  | 'topupValidityDays'
  | 'stepUpAbove'
  | 'carefulAbove'
  | 'refundFee'
  | 'refundNote'
/** The changed fields. What can be empty means never. */
type Typed = Partial<Record<TextName, string> & Pick<StoreSettings, 'merchantVpa'>> & OtherTexts<'refundNote'>

const orNull = (text: string): string | null => text.trim() || null

function useStoreForm() {
  const store = useStoreSettings()
  const form = useSettings({
    saved: store.data,
    queryKey: ['settings', 'store'],
    send: ({ topupValidityDays, carefulAbove, ...rest }: Typed) =>
      client.settings.saveStore({
        ...rest,
        ...(topupValidityDays !== undefined && { topupValidityDays: orNull(topupValidityDays) }),
        ...(carefulAbove !== undefined && { carefulAbove: orNull(carefulAbove) }),
      }),
    onSaved: () => toast(t('Settings saved')),
  })
  return { ...form, store }
}

interface StoreSectionProps {
  id?: string
  Icon: LucideIcon
  title: string
  /** Beside the title while the row is closed: what holds now. */
  saved: (store: StoreSettings) => string
  children: (form: ReturnType<typeof useStoreForm>) => ReactNode
}

function StoreSection({ id, Icon, title, saved, children }: StoreSectionProps) {
  const form = useStoreForm()
  const { store, save } = form
  return (
    <Row
      id={id}
      icon={<Icon size={18} aria-hidden />}
      label={title}
      value={store.data ? saved(store.data) : store.error ? '' : '…'}
    >
      {store.error && !store.data ? (
        <ErrorState error={store.error} onRetry={store.refetch} className="py-6" />
      ) : (
        <SettingsForm
          form={form}
          error={failure(t('Failed to save settings.'), save.error)}
          call={calls.settings.saveStore}
          label={t('Save')}
          className="items-start gap-3 sm:grid-cols-2"
        >
          {children(form)}
        </SettingsForm>
      )}
    </Row>
  )
}

export function SupportSection() {
  return (
    <StoreSection
      id={SUPPORT_SECTION}
      Icon={MessageCircle}
      title={t('Support')}
      saved={({ supportUrl }) => (supportUrl ? placeOf(supportUrl) : t('No support link yet'))}
    >
      {({ field, faults }) => (
        <Field
          label={t('Support link')}
          hint={supportHint(field('supportUrl').value)}
          error={faults['supportUrl']}
          className="sm:col-span-2"
        >
          <Input placeholder={t('WhatsApp number or link')} {...field('supportUrl')} />
        </Field>
      )}
    </StoreSection>
  )
}

function placeOf(link: string): string {
  const place = supportPlace(link)
  return place === 'Email' ? t('Email') : place
}

/** Says what a link opens. */
export function supportHint(written: string): string {
  const link = readSupportLink(written)
  if (!link?.service) return t('Or an email address. Leave empty to hide it.')
  return t('Buyers reach you by {service}: {shown}', { service: link.service, shown: link.shown })
}

export function TopUpRulesSection() {
  return (
    <StoreSection
      Icon={IndianRupee}
      title={t('Top-up rules')}
      saved={({ topupMax, topupValidityDays: days }) =>
        [
          t('Up to {amount} per request', { amount: formatRupees(topupMax) }),
          days === null
            ? t('No expiry')
            : t('Expires after {count, plural, one {# day} other {# days}}', { count: days }),
        ].join(' · ')
      }
    >
      {({ store, texts, faults, change, field }) => (
        <>
          <div className="grid grid-cols-2 gap-3 sm:col-span-2 large-text:grid-cols-1">
            <Field label={t('Maximum top-up (₹)')} hint={t('Per request')} error={faults['topupMax']}>
              <Input inputMode="decimal" {...field('topupMax')} />
            </Field>
            <Field
              label={t('Top-up validity (days)')}
              hint={t('Leave empty for no expiry.')}
              error={faults['topupValidityDays']}
            >
              <Input inputMode="numeric" {...field('topupValidityDays')} />
            </Field>
          </div>
          <Field
            label={t('Large from (₹)')}
            hint={t(
              'From this amount on, approving asks once more until a statement shows the money. Leave empty to turn ' +
                'this off.',
            )}
            error={faults['carefulAbove']}
            className="sm:col-span-2"
          >
            <Input inputMode="decimal" {...field('carefulAbove')} />
          </Field>
          <Switch
            label={t('Verified merchant')}
            hint={t(
              'Turn on only if your UPI ID is a verified merchant ID. UPI apps then accept a saved QR image for ' +
                'any amount.',
            )}
            checked={texts.merchantVpa ?? false}
            disabled={!store.data}
            denied={denied(calls.settings.saveStore)}
            onChange={(merchantVpa) => change({ merchantVpa })}
            className="sm:col-span-2"
          />
        </>
      )}
    </StoreSection>
  )
}

export function RefundRulesSection() {
  return (
    <StoreSection
      Icon={Undo2}
      title={t('Refunds')}
      saved={({ refundFee }) =>
        refundFee === 0 ? t('No service fee') : t('Service fee {amount}', { amount: formatRupees(refundFee) })
      }
    >
      {({ field, faults, store, texts, change }) => (
        <>
          <Field
            label={t('Service fee (₹)')}
            hint={t('₹20 to ₹50, or 0 for none')}
            error={faults['refundFee']}
            className="sm:col-span-2"
          >
            <Input inputMode="decimal" {...field('refundFee')} />
          </Field>
          <Field
            label={t('Your own refund rules')}
            optional
            hint={t('Shown under the refund policy of your terms')}
            error={faults['refundNote']}
            className="sm:col-span-2"
          >
            <Textarea rows={2} maxLength={REFUND_NOTE_LENGTH_MAX} {...field('refundNote')} />
          </Field>
          <OtherLanguages
            fields={[{ name: 'refundNote', label: t('Your own refund rules'), most: REFUND_NOTE_LENGTH_MAX, rows: 2 }]}
            texts={texts}
            outdated={store.data?.outdated}
            faults={faults}
            disabled={!store.data}
            onChange={change}
            className="sm:col-span-2"
          />
        </>
      )}
    </StoreSection>
  )
}

export function WalletChangesSection() {
  return (
    <StoreSection
      Icon={ShieldCheck}
      title={t('Wallet changes')}
      saved={({ stepUpAbove }) => t('Confirm above {amount} a day', { amount: formatRupees(stepUpAbove) })}
    >
      {({ field, faults }) => (
        <Field
          label={t('Confirm wallet changes above (₹)')}
          hint={t(
            'Ask admins to confirm when their approvals and wallet changes in 24 hours exceed this. Support can’t ' +
              'replace more than this in a day.',
          )}
          error={faults['stepUpAbove']}
          className="sm:col-span-2"
        >
          <Input inputMode="decimal" {...field('stepUpAbove')} />
        </Field>
      )}
    </StoreSection>
  )
}
