import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { bank } from '../../../../contract/bank.ts'
import { REASON_LENGTH_MAX } from '../../../../contract/limits.ts'
import { askFor } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import type { BankCredit } from '../../../../contract/bank-shapes.ts'
import { errorMessage } from '../../../platform/calls/api-error.ts'
import { client } from '../../../platform/calls/client.ts'
import { useChange, type CallInput } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees, sumRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import { ReasonDialog } from '../../../ui/admin/forms/reason-dialog.tsx'
import { TextField, useForm } from '../../../ui/admin/forms/use-form.tsx'
import { confirm } from '../../../ui/overlays/confirm.ts'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { SearchInput } from '../../../ui/fields/search-input.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { useLargeWarning } from '../queue/large.ts'
import { AT_ONCE } from '../bank-queries.ts'
import { isWarned } from './aside-bar.tsx'
import { payerOf } from './payer-of.ts'

interface Person {
  id: string
  username: string
  /** Why this may be the one. */
  why?: string | undefined
}

/** Credits money to a user: finds them, and asks with the name and the amount. */
export function CreditDialog({ credit, ...dialog }: DialogProps & { credit: BankCredit }) {
  const [chosen, setChosen] = useState<Person>()
  const largeWarning = useLargeWarning()
  const amount = formatRupees(credit.amount)
  const words = { amount, name: chosen?.username ?? '' }
  const creditTo = async (sent: CallInput<'bank.creditTo'>) => {
    const isSure = await confirm({
      title: t('Credit {amount} to {name}?', words),
      body: [t('{name} gets {amount} in the wallet right away.', words), largeWarning(credit.amount, credit.proof)]
        .filter(Boolean)
        .join('\n'),
      confirmLabel: t('Credit {amount}', { amount }),
    })
    return isSure ? client.bank.creditTo(sent) : undefined
  }
  const form = useForm({
    dialog,
    start: { id: credit._id, userId: '', reason: '' },
    input: bank.creditTo.input,
    save: useChange('bank', creditTo, AT_ONCE),
    send: (typed) => typed,
    onSaved: () => toast(t('{amount} credited to {name}', words)),
  })
  return (
    <EditDialog
      {...form.dialog}
      title={t('Credit {amount} to a user', { amount })}
      submitLabel={t('Credit {amount}', { amount })}
      error={form.dialog.error ?? (form.faults['userId'] && t('Choose a user'))}
    >
      <People
        credit={credit}
        chosen={chosen}
        onChosen={(person) => {
          setChosen(person)
          form.change({ userId: person.id })
        }}
      />
      <TextField
        {...form.of('reason')}
        label={t('Reason')}
        hint={t('For the audit log')}
        maxLength={REASON_LENGTH_MAX}
      />
    </EditDialog>
  )
}

interface PeopleProps {
  credit: BankCredit
  chosen: Person | undefined
  onChosen: (person: Person) => void
}

function People({ credit, chosen, onChosen }: PeopleProps) {
  const [search, setSearch] = useState('')
  const found = usePanel(askFor('users', 'list', { search, limit: 5 }), { enabled: search.trim() !== '' })
  const suggested = useSuggestions(credit)
  const people: Person[] =
    search.trim() === '' ? suggested : (found.data?.users.map(({ _id, username }) => ({ id: _id, username })) ?? [])
  return (
    <div className="grid gap-2">
      <SearchInput label={t('Search name, email or phone')} value={search} onChange={setSearch} />
      <ul className="grid gap-1" aria-label={t('Users')}>
        {people.map((person) => (
          <li key={person.id}>
            <label className="flex min-h-11 items-center gap-3 rounded-control px-2 hover:bg-hover">
              <input type="radio" name="user" checked={chosen?.id === person.id} onChange={() => onChosen(person)} />
              <span className="min-w-0">
                <span className="block font-medium wrap-anywhere">{person.username}</span>
                {person.why && <span className="block text-xs text-fg-3">{person.why}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {search.trim() !== '' && found.data && people.length === 0 && (
        <p className="text-sm text-fg-3">{t('No user matches')}</p>
      )}
      <FormError>{found.error && errorMessage(found.error)}</FormError>
    </div>
  )
}

/** Users whose phone stands in the payer's UPI ID, or whose name stands in the note. */
function useSuggestions({ payer, note }: BankCredit): Person[] {
  const phone = /\d{10}(?=@)/.exec(payer.vpa ?? '')?.[0]
  const words = note.split(/[^A-Za-z0-9_.-]+/).filter((word) => word.length >= 3)
  const query = useQuery({
    queryKey: ['users', 'suggested', phone, note],
    queryFn: async ({ signal }) => {
      const asked = [
        ...(phone === undefined ? [] : [{ search: phone, why: t('This phone is in the payer’s UPI ID') }]),
        ...words.slice(0, 3).map((search) => ({ search, why: t('This name is in the note') })),
      ]
      const answers = await Promise.all(
        asked.map(async ({ search, why }) =>
          (await client.users.list({ search, limit: 3 }, { signal })).users
            .filter(({ username }) => search === phone || username.toLowerCase() === search.toLowerCase())
            .map(({ _id, username }) => ({ id: _id, username, why })),
        ),
      )
      return [...new Map(answers.flat().map((person) => [person.id, person])).values()]
    },
    enabled: phone !== undefined || words.length > 0,
  })
  const known = payer.paidFor.map(({ _id, username }) => ({
    id: _id,
    username,
    why: t('This payer has paid for this user before'),
  }))
  const others = query.data?.filter(({ id }) => !known.some((person) => person.id === id)) ?? []
  return [...known, ...others]
}

interface AsideDialogProps extends DialogProps {
  /** One or more. */
  credits: readonly BankCredit[]
}

/** Sets money aside that is for no top-up, with the reason. */
export function AsideDialog({ credits, ...dialog }: AsideDialogProps) {
  /** Credits that are set aside already. Another try leaves them alone, because the store takes each once. */
  const done = useRef(new Set<string>())
  const setAll = async (why: string) => {
    const left = credits.filter(({ _id }) => !done.current.has(_id))
    const setAside = async ({ _id: id }: BankCredit) => {
      await client.bank.setAside({ id, why })
      done.current.add(id)
    }
    for (const each of await Promise.allSettled(left.map(setAside))) if (each.status === 'rejected') throw each.reason
    return done.current.size
  }
  const amount = formatRupees(sumRupees(credits.map((credit) => credit.amount)))
  return (
    <ReasonDialog
      {...dialog}
      title={
        credits.length > 1
          ? t('Ignore {count} payments, {amount} in all?', { count: credits.length, amount })
          : t('Ignore {amount}?', { amount })
      }
      description={
        <>
          {t('It won’t be matched to a top-up while it’s ignored.')}
          {credits.filter(isWarned).map((credit) => (
            <span key={credit._id} className="block text-warn">
              {t('{name}, {amount}: {message}', {
                name: payerOf(credit),
                amount: formatRupees(credit.amount),
                message: t('Submitted by {names}', { names: credit.rivals.join(', ') }),
              })}
            </span>
          ))}
        </>
      }
      submitLabel={t('Ignore')}
      hint={t('Own money, a friend’s, a refund…')}
      field="why"
      change={useChange('bank', setAll, AT_ONCE)}
      send={(why) => why}
      onDone={() => toast(t('{amount} ignored', { amount }))}
    />
  )
}
