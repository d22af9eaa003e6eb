import { errorMessage } from '../calls/api-error.ts'
import { t } from '../i18n.ts'
import { toast } from '../navigation/toast.ts'

/**
 * Says what was done, with a way back.
 *
 *   toastUndo(t('Key deleted'), () => restore.mutateAsync(row), () => t('The key is back in stock'))
 *
 * @param undo uses `mutateAsync`, because the result of `mutate` is lost when the dialog that asked closes
 */
export function toastUndo<T>(done: string, undo: () => Promise<T>, undone: (result: T) => string): void {
  const run = () =>
    void undo().then(
      (result) => toast(undone(result)),
      (error: unknown) => toast(errorMessage(error), { tone: 'bad', action: { label: t('Retry'), run } }),
    )
  toast(done, { action: { label: t('Undo'), run } })
}
