import { KeyRound } from 'lucide-react'
import { ACCENT_NAMES, ACCENTS, oklch, type Accent } from '../../../contract/accents.ts'
import { HERO_LINE_LENGTH_MAX } from '../../../contract/limits.ts'
import type { OtherTexts } from '../../../contract/owner-texts.ts'
import { dataOf, readAsUrl } from '../../pictures/admin/make-picture.ts'
import { PictureField } from '../../pictures/admin/picture-field.tsx'
import { saveSharePicture } from '../../pictures/admin/share-picture.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { toastUndo } from '../../platform/admin/toast-undo.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { useFace } from '../../platform/calls/site.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { OtherLanguages } from '../../ui/admin/forms/other-languages.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { FacePreview } from './face-preview.tsx'
import { failure, SettingsForm, useOutdatedTexts, useSettings } from '../../ui/admin/forms/settings-form.tsx'

type Site = ReturnType<typeof useFace>
type Typed = Partial<Pick<Site, 'accent' | 'heroLine'>> & OtherTexts<'heroLine'>

const SITE_KEY = ['settings', 'site']

function useFaceForm() {
  const site = useFace()
  const form = useSettings({
    saved: site,
    queryKey: SITE_KEY,
    send: (typed: Typed) => client.settings.saveFace(typed),
    onSaved(saved) {
      toast(t('Saved. Open pages update within 1 minute.'))
      return saveSharePicture(saved)
    },
  })
  return { ...form, site, shown: { ...site, ...form.texts } }
}

/** The logo, the colour and the headline of the store, beside a picture of what buyers see. */
export function FaceScreen() {
  const form = useFaceForm()
  return (
    <Page title={t('Branding')} hideTitle>
      <div className="mx-auto grid max-w-220 grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_20rem]">
        <Panel title={t('Branding')} description={t('What buyers see first, and what a shared link shows')}>
          <div className="grid grid-cols-1 gap-5">
            <LogoField site={form.site} />
            <ColoursForm form={form} />
          </div>
        </Panel>
        <FacePreview shown={form.shown} />
      </div>
    </Page>
  )
}

function LogoField({ site }: { site: Site }) {
  const save = async (url: string | null, expected?: string) => {
    const kept = url === null && site.logo ? await fetch(site.logo).catch(() => undefined) : undefined
    const before = kept?.ok ? await readAsUrl(await kept.blob()) : undefined
    if (url === null) await client.pictures.removeOfStore({ place: 'logo' })
    else await client.pictures.saveOfStore({ place: 'logo', data: dataOf(url), expected })
    await queryClient.invalidateQueries({ queryKey: SITE_KEY })
    const latest = queryClient.getQueryData<Site>(SITE_KEY) ?? site
    const saved = t('Logo saved')
    if (before === undefined) toast(url === null ? t('Logo removed') : saved)
    else
      toastUndo(
        t('Logo removed'),
        () => save(before, ''),
        () => saved,
      )
    await saveSharePicture(latest)
  }
  return (
    <PictureField
      kind="logo"
      label={t('Logo')}
      hint={t('It shows in the header, on the login page and as the app’s icon. A square picture looks best.')}
      shown={
        site.logo ? (
          <img src={site.logo} alt={t('Your logo')} width={72} height={72} className="size-full object-contain" />
        ) : (
          <KeyRound size={26} aria-hidden className="text-brand" />
        )
      }
      isSet={site.logo !== undefined}
      onChange={save}
      denied={denied(calls.pictures.saveOfStore)}
    />
  )
}

function ColoursForm({ form }: { form: ReturnType<typeof useFaceForm> }) {
  const { save, shown, faults, change, field } = form
  const outdated = useOutdatedTexts()
  return (
    <SettingsForm
      form={form}
      error={failure(t('Failed to save the colour and headline.'), save.error)}
      call={calls.settings.saveFace}
      label={t('Save colour and headline')}
      className="grid-cols-1 gap-5"
    >
      <AccentField value={shown.accent} onChange={(accent) => change({ accent })} />
      <Field
        label={t('Headline')}
        optional
        hint={t('For visitors who are not logged in')}
        error={faults['heroLine']}
        aside={t('{count}/{most}', { count: shown.heroLine.length, most: HERO_LINE_LENGTH_MAX })}
      >
        <Input
          maxLength={HERO_LINE_LENGTH_MAX}
          placeholder={t('Licence keys, delivered instantly')}
          {...field('heroLine')}
        />
      </Field>
      <OtherLanguages
        fields={[{ name: 'heroLine', label: t('Headline'), most: HERO_LINE_LENGTH_MAX }]}
        texts={shown}
        outdated={outdated}
        faults={faults}
        onChange={change}
      />
    </SettingsForm>
  )
}

const accentName = (accent: Accent): string =>
  ({
    lime: t('Lime'),
    mint: t('Mint'),
    aqua: t('Aqua'),
    sky: t('Sky'),
    violet: t('Violet'),
    pink: t('Pink'),
    coral: t('Coral'),
    gold: t('Gold'),
  })[accent]

function AccentField({ value, onChange }: { value: Accent; onChange: (accent: Accent) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium text-fg-2">{t('Colour of buttons and links')}</legend>
      <div className="grid grid-cols-4 gap-2 large-text:grid-cols-2">
        {ACCENT_NAMES.map((accent) => (
          <label
            key={accent}
            className={
              'relative flex min-h-16 flex-col items-center justify-center gap-1 rounded-control border ' +
              'border-line text-xs text-fg-2 has-checked:border-fg has-checked:font-semibold has-checked:text-fg ' +
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand'
            }
          >
            <input
              type="radio"
              name="accent"
              value={accent}
              checked={accent === value}
              onChange={() => onChange(accent)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <svg aria-hidden viewBox="0 0 24 24" className="size-6">
              <circle cx="12" cy="12" r="12" fill={oklch(ACCENTS[accent].dark)} />
            </svg>
            {accentName(accent)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
