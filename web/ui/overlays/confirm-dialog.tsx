import { useId, useState } from 'react'
import { t } from '../../platform/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { Modal } from './modal.tsx'
import { useRest } from '../buttons/use-rest.ts'
import { useQuestion, type Question } from './confirm.ts'
import { WeightyButton } from '../buttons/weighty-button.tsx'

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
  const { title, body, confirmLabel, cancelLabel, danger, notice, rests } = question
  const isResting = useRest('', rests)
  return (
    <form
      className="min-h-0 scroll-y p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:p-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isResting) answer(true)
      }}
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold wrap-anywhere">
        {title}
      </h2>
      <p id={`${id}-body`} className="mt-1.5 text-sm whitespace-pre-line text-fg-2">
        {body}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        {!notice && (
          <Button variant="ghost" onClick={() => answer(false)} {...(danger && { 'data-autofocus': true })}>
            {cancelLabel ?? t('Cancel')}
          </Button>
        )}
        <WeightyButton
          type="submit"
          variant={danger ? 'danger' : 'primary'}
          {...(!danger && { 'data-autofocus': true })}
        >
          {confirmLabel}
        </WeightyButton>
      </div>
    </form>
  )
}
