import '../../styles/proof.css'
import { useQuery } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import type { Language } from '../../../contract/languages.ts'
import type { Proof } from '../../../contract/proofs.ts'
import { useSession } from '../../platform/session/session.ts'
import { client } from '../../platform/calls/client.ts'
import { saveBlob } from '../../platform/files/save-file.ts'
import { getLanguage, t } from '../../platform/i18n.ts'
import { useSearch } from '../../platform/navigation/router.tsx'
import { isolated } from '../../settings/payee-text.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Loaded } from '../../ui/page/loaded.tsx'
import { Page } from '../../ui/page/page.tsx'
import { addresseeOf, letterOf, speakerOf, type Addressee } from './letter.ts'
import { ProofTables } from './proof-tables.tsx'
import { indiaDate } from './india-dates.ts'

const PATH = '/admin/proof'

/** The proof of one payment, to print or to save. Each making is an entry of the audit log, so nothing repeats it. */
export function ProofScreen() {
  const { id = '' } = useSearch(PATH)
  const [isFull, setFull] = useState(false)
  const proof = useQuery({
    queryKey: ['proof', id, isFull],
    queryFn: ({ signal }) => client.proofs.read({ id, ...(isFull && { keys: 'full' as const }) }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  return (
    <Page title={t('Paper for the bank')} hideTitle>
      <div className="mx-auto grid max-w-200 grid-cols-1 gap-4">
        <Loaded query={proof} skeleton="h-192">
          {(data) => <Paper proof={data} isFull={isFull} onFull={() => setFull(true)} />}
        </Loaded>
      </div>
    </Page>
  )
}

const addresseeLabels = (): Record<keyof Addressee, string> => ({
  bank: t('Bank'),
  branch: t('Branch'),
  account: t('Frozen account'),
  complaint: t('Complaint number'),
})

interface PaperProps {
  proof: Proof
  isFull: boolean
  onFull: () => void
}

function Paper({ proof, isFull, onFull }: PaperProps) {
  const [language, setLanguage] = useState<Language>(getLanguage())
  const [to, setTo] = useState<Addressee>({ bank: '', branch: '', account: '', complaint: '' })
  const text = JSON.stringify(proof)
  const isOwner = useSession().admin?.role === 'owner'
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Printer size={18} aria-hidden />} onClick={() => print()}>
          {t('Print or save as PDF')}
        </Button>
        <Button
          variant="secondary"
          icon={<Download size={18} aria-hidden />}
          onClick={() => saveBlob(`${proof.number}.json`, new Blob([text], { type: 'application/json' }))}
        >
          {t('Download JSON')}
        </Button>
        {isOwner && !isFull && proof.spent.length > 0 && (
          <Button variant="ghost" onClick={onFull}>
            {t('Show whole keys')}
          </Button>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {Object.entries(addresseeLabels()).map(([name, label]) => (
          <Field key={name} label={label} optional>
            <Input
              value={to[name as keyof Addressee]}
              maxLength={80}
              onChange={({ target }) => setTo((typed) => ({ ...typed, [name]: target.value }))}
            />
          </Field>
        ))}
      </div>
      <Segmented
        label={t('Language of the letter')}
        value={language}
        onChange={setLanguage}
        options={[
          { value: 'en', label: 'English' },
          { value: 'hi', label: 'हिन्दी' },
        ]}
        className="w-fit"
      />
      <article className="proof grid grid-cols-1 gap-6 rounded-panel border border-line bg-surface p-4 text-sm sm:p-6">
        <Letter proof={proof} language={language} to={to} />
        <ProofTables proof={proof} text={text} />
      </article>
    </>
  )
}

function Letter({ proof, language, to }: { proof: Proof; language: Language; to: Addressee }) {
  const { data: say } = useQuery({
    queryKey: ['letter', language],
    queryFn: async () => ({ t: await speakerOf(language) }),
    staleTime: Infinity,
  })
  const [subject, ...paragraphs] = say ? letterOf(say.t, proof) : []
  const lines = say ? addresseeOf(say.t, to) : ''
  return (
    <section className="proof-letter grid gap-3" lang={language}>
      <p className="text-right">{indiaDate(proof.madeAt)}</p>
      {lines && <p className="wrap-anywhere whitespace-pre-line">{lines}</p>}
      <h2 className="text-lg font-semibold wrap-anywhere">{subject}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="wrap-anywhere">
          {paragraph}
        </p>
      ))}
      <p className="mt-8">
        {[isolated(proof.store.payeeName ?? proof.madeBy), isolated(proof.store.name), proof.store.url]
          .filter(Boolean)
          .join(', ')}
      </p>
    </section>
  )
}
