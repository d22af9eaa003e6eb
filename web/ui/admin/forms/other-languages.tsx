import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { InOthers, OtherTexts } from '../../../../contract/owner-texts.ts'
import { OTHER_LANGUAGES } from './owner-languages.ts'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../buttons/button.tsx'
import { Field } from '../../fields/field.tsx'
import { Input } from '../../fields/input.tsx'
import { Textarea } from '../../fields/textarea.tsx'
import { cx } from '../../cx.ts'

interface OtherLanguagesProps<Name extends string> {
  /** The fields in English. `rows` makes it one of several lines, `most` is its length. */
  fields: readonly { name: Name; label: string; most: number; rows?: number }[]
  texts: OtherTexts<Name>
  /** Texts whose English has changed since they were written. */
  outdated?: OtherTexts<Name> | undefined
  /** What the server found, by name. */
  faults?: Readonly<Record<string, string | undefined>>
  disabled?: boolean
  onChange: (part: OtherTexts<Name>) => void
  className?: string
}

/** Holds the owner's texts in the store's other languages, folded under those in English until one is filled. */
export function OtherLanguages<Name extends string>(props: OtherLanguagesProps<Name>) {
  return OTHER_LANGUAGES.map((language) => <InLanguage key={language.code} {...language} {...props} />)
}

function InLanguage<Name extends string>(props: OtherLanguagesProps<Name> & (typeof OTHER_LANGUAGES)[number]) {
  const { code, language, suffix, fields, texts, outdated, faults = {}, disabled, onChange, className } = props
  const [wasOpened, setOpened] = useState(false)
  const own = fields.map((field) => ({ ...field, key: `${field.name}${suffix}` as InOthers<Name> }))
  const isFilled = own.some(({ key }) => texts[key] || outdated?.[key] || faults[key])
  const isShown = wasOpened || isFilled
  return (
    <details
      open={isShown}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      className={cx('group/fold rounded-control border border-line', className)}
    >
      <summary
        // What buyers read is never hidden from who changes the English text
        onClick={(event) => isFilled && event.preventDefault()}
        className="flex min-h-11 cursor-pointer items-center gap-2 rounded-control px-3 text-sm font-medium"
      >
        <span lang={code}>{language}</span>
        <span className="flex-1 font-normal text-fg-3">· {t('optional')}</span>
        {!isFilled && (
          <ChevronDown size={16} aria-hidden className="text-fg-3 transition-transform group-open/fold:rotate-180" />
        )}
      </summary>
      <div className="grid gap-4 px-3 pb-3">
        <p className="text-xs text-fg-3">
          {t('Shown to buyers who read {language}. An empty field stays in English.', { language })}
        </p>
        {isShown &&
          own.map(({ key, label, most, rows }) => {
            const value = texts[key] ?? ''
            const old = value === '' ? outdated?.[key] : undefined
            const control = {
              name: key,
              value,
              lang: code,
              maxLength: most,
              disabled,
              autoComplete: 'off',
              onChange: ({ target }: { target: { value: string } }) =>
                onChange({ [key]: target.value } as OtherTexts<Name>),
            }
            return (
              <div key={key} className="grid gap-1.5">
                <Field
                  label={t('{label} in {language}', { label, language })}
                  error={faults[key]}
                  aside={value.length > most / 2 && t('{count}/{most}', { count: value.length, most })}
                >
                  {rows ? <Textarea {...control} rows={rows} /> : <Input {...control} />}
                </Field>
                {old && (
                  <div className="grid justify-items-start gap-1.5">
                    <p className="text-sm wrap-anywhere text-warn">
                      {t('The {language} text is for the old English, so buyers see the English: “{old}”', {
                        language,
                        old,
                      })}
                    </p>
                    <Button
                      variant="secondary"
                      size="sm"
                      disabled={disabled}
                      onClick={() => onChange({ [key]: old } as OtherTexts<Name>)}
                    >
                      {t('Use it again')}
                    </Button>
                  </div>
                )}
              </div>
            )
          })}
      </div>
    </details>
  )
}
