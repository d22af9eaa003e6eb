import type { AdminKey, KeyBatch } from '../../../../contract/keys.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { useDialog } from '../../../ui/overlays/use-dialog.ts'
import type { Wanted } from '../import/key-import-dialog.tsx'
import type { Place } from '../key-manager-queries.ts'

const KeyImportDialog = lazyPart(() => import('../import/key-import-dialog.tsx').then((file) => file.KeyImportDialog))
const BatchEditDialog = lazyPart(() => import('./batch-edit-dialog.tsx').then((file) => file.BatchEditDialog))
const RecallDialog = lazyPart(() => import('../../../claims/admin/recall-dialog.tsx').then((file) => file.RecallDialog))
const BatchAnswerDialog = lazyPart(() =>
  import('../../../claims/admin/batch-answer-dialog.tsx').then((file) => file.BatchAnswerDialog),
)
const AllKeysDeletion = lazyPart(() => import('./key-manager-deletions.tsx').then((file) => file.AllKeysDeletion))
const BatchUndo = lazyPart(() => import('./key-manager-deletions.tsx').then((file) => file.BatchUndo))
const KeyDeletion = lazyPart(() => import('./key-manager-deletions.tsx').then((file) => file.KeyDeletion))
const KeyEditDialog = lazyPart(() => import('./key-edit-dialog.tsx').then((file) => file.KeyEditDialog))

export type KeyDialogs = ReturnType<typeof useKeyDialogs>

/** Every dialog of the Keys screen, each about one thing. */
export function useKeyDialogs() {
  return {
    importer: useDialog<{ wanted: Wanted }>(),
    editor: useDialog<{ row: AdminKey }>(),
    deletion: useDialog<{ row: AdminKey }>(),
    undoing: useDialog<{ batch: KeyBatch }>(),
    batchEditor: useDialog<{ batch: KeyBatch }>(),
    recall: useDialog<{ batch: KeyBatch }>(),
    answers: useDialog<{ batch: KeyBatch }>(),
    clearing: useDialog<{ place: Place; available: number }>(),
  }
}

export function KeyManagerDialogs({ dialogs }: { dialogs: KeyDialogs }) {
  const { importer, editor, deletion, undoing, batchEditor, recall, answers, clearing } = dialogs
  return (
    <>
      {importer.target && (
        <KeyImportDialog
          key={importer.turn}
          open={importer.open}
          onClose={importer.close}
          wanted={importer.target.wanted}
        />
      )}
      {editor.target && (
        <KeyEditDialog key={`edit-${editor.turn}`} open={editor.open} onClose={editor.close} row={editor.target.row} />
      )}
      {batchEditor.target && (
        <BatchEditDialog
          key={`batch-${batchEditor.turn}`}
          open={batchEditor.open}
          onClose={batchEditor.close}
          batch={batchEditor.target.batch}
        />
      )}
      {recall.target && (
        <RecallDialog key={`recall-${recall.turn}`} open={recall.open} onClose={recall.close} {...recall.target} />
      )}
      {answers.target && (
        <BatchAnswerDialog
          key={`answers-${answers.turn}`}
          open={answers.open}
          onClose={answers.close}
          {...answers.target}
        />
      )}
      {deletion.target && (
        <KeyDeletion key={deletion.turn} open={deletion.open} onClose={deletion.close} row={deletion.target.row} />
      )}
      {undoing.target && (
        <BatchUndo key={`undo-${undoing.turn}`} open={undoing.open} onClose={undoing.close} {...undoing.target} />
      )}
      {clearing.target && (
        <AllKeysDeletion
          key={`all-${clearing.turn}`}
          open={clearing.open}
          onClose={clearing.close}
          {...clearing.target}
        />
      )}
    </>
  )
}
