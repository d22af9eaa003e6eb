/** What an upload of a statement goes through: a file or its text, what was read, and the result. */
import { useState } from 'react'
import type { ImportResult, StatementColumns, StatementPreview } from '../../../../contract/bank-shapes.ts'
import { ApiError, errorMessage } from '../../../platform/calls/api-error.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { useCall, useChange } from '../../../platform/calls/use-call.ts'
import { AT_ONCE } from '../bank-queries.ts'
import { FileFault } from '../../../platform/files/file-fault.ts'
import { useChosenFile } from './use-chosen-file.ts'

/** An account that a file names and the store doesn't know. */
export interface Named {
  bank: string
  tail: string
}

interface Told {
  columns?: StatementColumns | undefined
  source?: 'pdf' | undefined
}

/** As the call takes it. */
const told = ({ columns, source }: Told) => ({ ...(columns && { columns }), ...(source && { source }) })

export type Upload = ReturnType<typeof useUpload>

export function useUpload(firstFault: string | undefined) {
  const [text, setText] = useState('')
  const [columns, setColumns] = useState<StatementColumns>()
  const [preview, setPreview] = useState<StatementPreview>()
  const [result, setResult] = useState<ImportResult>()
  /** First rows of a file whose columns are not known. */
  const [rows, setRows] = useState<readonly (readonly string[])[]>()
  const [accountId, setAccountId] = useState('')
  const [fault, setFault] = useState(firstFault)
  const [source, setSource] = useState<'pdf'>()
  const how = told({ columns, source })
  const look = useCall('bank.preview')
  const send = useChange('bank', importInto, AT_ONCE)
  async function importInto(into: string | Named): Promise<ImportResult> {
    const id = typeof into === 'string' ? into : await addAccount(into)
    setAccountId(id)
    return client.bank.import({ text, accountId: id, ...how })
  }
  const fail = (error: unknown) => setFault(error instanceof FileFault ? error.message : errorMessage(error))
  const read = (from: string, { columns: chosen, source: by }: Told = {}) => {
    setFault(undefined)
    setText(from)
    setColumns(chosen)
    setSource(by)
    look.mutate(
      { text: from, ...told({ columns: chosen, source: by }) },
      {
        onSuccess: (seen) => {
          setRows(undefined)
          setPreview(seen)
          setAccountId(seen.account?._id ?? '')
        },
        onError: (error) => {
          fail(error)
          // A PDF's text is no text to paste
          if (by) setText('')
          const shown = error instanceof ApiError ? error.details['rows'] : undefined
          if (isRows(shown)) setRows(shown)
        },
      },
    )
  }
  const { isReading, forget, ...file } = useChosenFile({
    onStart: () => setFault(undefined),
    onText: (found) => read(found.text, found),
    onFault: fail,
  })
  return {
    text,
    setText,
    preview,
    unknown: accountId === '' ? unknownIn(preview) : undefined,
    result,
    rows,
    accountId,
    chooseAccount(id: string) {
      setFault(undefined)
      setAccountId(id)
      look.mutate({ text, accountId: id || null, ...how }, { onSuccess: setPreview, onError: fail })
    },
    fault,
    isSending: send.isPending,
    isPending: isReading || look.isPending || send.isPending,
    isPdf: source === 'pdf',
    read,
    choose: (chosen: StatementColumns) => read(text, { columns: chosen, source }),
    ...file,
    back() {
      setFault(undefined)
      setPreview(undefined)
      setRows(undefined)
      forget()
      if (source) setText('')
    },
    /** @param into an account, or one to add first */
    send: (into: string | Named) =>
      send.mutate(into, { onSuccess: (stored) => (setFault(undefined), setResult(stored)), onError: fail }),
  }
}

const addAccount = async ({ bank, tail }: Named): Promise<string> =>
  (await client.bank.createAccount({ bank, tail, label: t('{bank} account', { bank }), feedsStore: true }))._id

function unknownIn(preview: StatementPreview | undefined): Named | undefined {
  const { _id = null, bank = null, tail = null } = preview?.account ?? {}
  return _id === null && bank !== null && tail !== null ? { bank, tail } : undefined
}

const isRows = (value: unknown): value is string[][] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => Array.isArray(row))
