import { useId, useState } from 'react'
import { t } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { Modal } from './modal.tsx'
import { useQuestion, type Question } from './confirm.ts'

/** Shows the questions of `confirm`. The page's root has one. */
export function ConfirmDialog() {
  const asked = useQuestion()
  const [last, setLast] = useState(asked)
  // Keeps the text while the dialog moves out.
  if (asked && asked !== last) setLast(asked)
  const id = useId()
  const question = asked ?? last
  if (!question) return null
  const answer = (yes: boolean) => asked?.answer(yes)
  return (
    <Modal
      open={asked !== null}
      onClose={() => answer(false)}
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-body`}
      sticky
      className="sheet"
    >
      <Content key={question.title} id={id} question={question} answer={answer} />
    </Modal>
  )
}

interface ContentProps {
  id: string
  question: Question
  answer: (yes: boolean) => void
}

function Content({ id, question, answer }: ContentProps) {
  const { title, body, confirmLabel, cancelLabel, danger, typeToConfirm, notice } = question
  const [typed, setTyped] = useState('')
  const isTyped = !typeToConfirm || typed.trim() === typeToConfirm
  return (
    <form
      className="p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:p-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (isTyped) answer(true)
      }}
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold wrap-anywhere">
        {title}
      </h2>
      <p id={`${id}-body`} className="mt-1.5 text-sm whitespace-pre-line text-fg-2">
        {body}
      </p>
      {typeToConfirm && (
        <Field label={t('Type {text} to confirm', { text: typeToConfirm })} className="mt-4">
          <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" data-autofocus />
        </Field>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        {!notice && (
          <Button
            variant="ghost"
            onClick={() => answer(false)}
            {...(danger && !typeToConfirm && { 'data-autofocus': true })}
          >
            {cancelLabel ?? t('Cancel')}
          </Button>
        )}
        <Button
          type="submit"
          variant={danger ? 'danger' : 'primary'}
          disabled={!isTyped}
          {...(!danger && { 'data-autofocus': true })}
        >
          {confirmLabel}
        </Button>
      </div>
    </form>
  )
}
