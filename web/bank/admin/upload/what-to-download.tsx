import { bankKey, BANKS } from '../../../../contract/banks.ts'
import { t } from '../../../platform/i18n.ts'

const table = () => t('Excel or CSV, else PDF')

/** What the banks' own pages call the file that is read best. */
const DOWNLOADS: Record<string, () => string> = {
  HDFC: () => t('Net banking → Statement → Delimited'),
  SBI: () => t('CSV or Excel; PDF in YONO'),
  ICICI: () => 'XLS',
  Axis: () => 'CSV',
  Kotak: () => 'CSV',
  IDFC: () => 'CSV',
  Yes: () => 'CSV',
}

/** Says what to choose at each of the store's banks. */
export function WhatToDownload({ banks }: { banks: readonly string[] }) {
  const own = [...new Set(banks)]
  return (
    <section className="grid gap-1 text-sm">
      <h3 className="font-medium">{t('What to download at your bank')}</h3>
      {own.length === 0 && <p className="text-fg-2">{table()}</p>}
      <dl className="grid gap-1">
        {own.map((bank) => {
          const key = bankKey(bank) ?? bank
          const password = BANKS.find((each) => each.key === key)?.password
          return (
            <div key={bank} className="flex flex-wrap gap-x-2">
              <dt className="text-fg-2">{bank}</dt>
              <dd>
                {(DOWNLOADS[key] ?? table)()}
                {password && (
                  <span className="block text-xs text-fg-3">
                    {t('The file’s password is usually {rule}.', { rule: t(password) })}
                  </span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      <p className="text-xs text-fg-3">{t('A picture or a scan can’t be read. Upload the file unopened.')}</p>
    </section>
  )
}
