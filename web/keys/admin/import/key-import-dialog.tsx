import { useState } from 'react'
import { ChevronLeft } from 'lucide-react'
import { KEYS_PER_IMPORT_MAX } from '../../../../contract/limits.ts'
import { useAdminProducts } from '../../../catalogue/admin/product-queries.ts'
import { t, variantText } from '../../../platform/i18n.ts'
import { counted, formatCount } from '../../../platform/money.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { confirm } from '../../../ui/overlays/confirm.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { WeightyButton } from '../../../ui/buttons/weighty-button.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { DeliveryFields } from '../delivery-fields.tsx'
import { DuplicatesLeftOut, Progress, Result } from './key-import-progress.tsx'
import { KeyImportReview } from './key-import-review.tsx'
import { Source } from './key-import-source.tsx'
import { DurationSelect, onlyDuration, ProductSelect } from '../key-manager-place.tsx'
import { useKeyImport, type KeyImport } from './use-key-import.ts'

/** Product and duration of the keys, if known. */
interface Wanted {
  productId?: string | undefined
  duration?: string | undefined
}

/** Adds keys from a paste or a file to a product and duration, which it asks for. */
export function KeyImportDialog({ open, wanted, onClose }: DialogProps & { wanted: Wanted }) {
  const products = useAdminProducts()
  const [place, setPlace] = useState(wanted)
  // One product, or one duration, leaves nothing to choose
  const [only, ...others] = products.data ?? []
  const productId = place.productId ?? (others.length === 0 ? only?._id : undefined)
  const duration = place.duration ?? onlyDuration(products.data, productId)
  const product = products.data?.find(({ _id }) => _id === productId)
  const keyImport = useKeyImport(productId && duration ? { productId, duration } : undefined)
  const { stage, left, lines, failure, change } = keyImport
  const choose = (next: Wanted) => {
    setPlace((present) => ({ ...present, ...next }))
    change({ failure: undefined })
  }
  const close = async () => {
    if (stage === 'sending') return
    keyImport.stop()
    const count = stage === 'checked' ? left : lines.length
    const isSure = stage === 'done' || count === 0 || (await confirmDiscard(count))
    if (isSure) onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={() => void close()}
      title={t('Add keys')}
      {...(stage !== 'filling' &&
        product && {
          description: variantText(product.name, duration ?? ''),
        })}
      sticky
      footer={
        <>
          <FormError>{failure}</FormError>
          <Buttons keyImport={keyImport} onCancel={() => void close()} onDone={onClose} />
        </>
      }
    >
      {stage === 'filling' && (
        <div className="grid gap-4 pb-1">
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 large-text:grid-cols-1">
            <ProductSelect
              products={products.data}
              value={productId}
              none={t('Choose a product')}
              onChange={(next) => choose({ productId: next, duration: undefined })}
            />
            <DurationSelect
              product={product}
              value={duration}
              none={t('Choose a duration')}
              onChange={(next) => choose({ duration: next })}
            />
          </div>
          <Filling keyImport={keyImport} />
        </div>
      )}
      <Checked keyImport={keyImport} />
    </Dialog>
  )
}

const confirmDiscard = (count: number) =>
  confirm({
    title: t('Discard {count, plural, one {# key} other {# keys}}?', { count }),
    body: t('These keys have not been added yet.'),
    confirmLabel: t('Discard'),
    cancelLabel: t('Keep editing'),
    danger: true,
  })

function Filling({ keyImport: { text, bulk, isTooMuch, change } }: { keyImport: KeyImport }) {
  return (
    <>
      <Source
        text={text}
        bulk={bulk}
        onText={(next) => change({ text: next, failure: undefined })}
        onBulk={(next) => change({ bulk: next, failure: undefined })}
        onFailure={(failure) => change({ failure })}
      />
      {isTooMuch && (
        <p role="status" className="text-sm text-bad">
          {t('You can add up to {most} keys at a time. Split the list and try again.', {
            most: formatCount(KEYS_PER_IMPORT_MAX),
          })}
        </p>
      )}
    </>
  )
}

/** The part of the dialog below the typed keys: the check, the progress, the result. */
function Checked({ keyImport }: { keyImport: KeyImport }) {
  const { stage, lines, checked, takesDoubtful, added, duplicates, delivery, progress, costFault, change } = keyImport
  const doubtful = checked.filter(({ group }) => group === 'doubtful').length
  if (stage === 'filling') return null
  if (stage === 'done') return <Result added={progress.added} duplicates={duplicates} />
  if (stage === 'checking') {
    return (
      <output className="grid gap-2 py-6 text-center text-sm text-fg-2">
        {t(
          '{count, plural, one {Checking # line} other {Checking {text} lines}}. Nothing has been added yet.',
          counted(lines.length),
        )}
      </output>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-4 pb-1">
      {(stage === 'sending' || progress.done > 0) && <Progress progress={progress} total={added.length} />}
      {stage === 'checked' && added.length === 0 && <DuplicatesLeftOut count={duplicates} />}
      {stage === 'checked' && <KeyImportReview lines={checked} />}
      {stage === 'checked' && progress.done === 0 && doubtful > 0 && (
        <Checkbox
          label={t(
            '{count, plural, one {Add the doubtful key, too} other {Add the {text} doubtful keys, too}}',
            counted(doubtful),
          )}
          hint={t('The same key may be sold twice, or a key that does not work.')}
          checked={takesDoubtful}
          onChange={({ target }) => change({ takesDoubtful: target.checked })}
        />
      )}
      {stage === 'checked' && progress.done === 0 && added.length > 0 && (
        <DeliveryFields
          facts={delivery}
          costFault={costFault}
          count={added.length}
          onChange={(facts) => change({ delivery: { ...delivery, ...facts } })}
          className="border-t border-line pt-4"
        />
      )}
    </div>
  )
}

interface ButtonsProps {
  keyImport: KeyImport
  onCancel: () => void
  onDone: () => void
}

function Buttons({ keyImport, onCancel, onDone }: ButtonsProps) {
  const { stage, lines, left, progress, isTooMuch } = keyImport
  const [way, action] = {
    filling: [
      <Button key="way" variant="ghost" onClick={onCancel}>
        {t('Cancel')}
      </Button>,
      <Button key="action" disabled={isTooMuch} onClick={keyImport.check}>
        {lines.length === 0
          ? t('Check keys')
          : t('{count, plural, one {Check # key} other {Check {text} keys}}', counted(lines.length))}
      </Button>,
    ],
    checking: [<Stop key="way" keyImport={keyImport} />, <Working key="action">{t('Checking')}</Working>],
    checked: [
      <Button key="way" variant="ghost" icon={<ChevronLeft size={16} aria-hidden />} onClick={keyImport.goBack}>
        {t('Edit keys')}
      </Button>,
      <WeightyButton key="action" does={stage} disabled={left === 0} onClick={() => keyImport.send()}>
        {progress.done > 0
          ? t('{count, plural, one {Add remaining key} other {Add remaining {text} keys}}', counted(left))
          : t('{count, plural, =0 {No new keys} one {Add # new key} other {Add {text} new keys}}', counted(left))}
      </WeightyButton>,
    ],
    sending: [<Stop key="way" keyImport={keyImport} />, <Working key="action">{t('Adding')}</Working>],
    done: [
      <Button key="way" variant="ghost" onClick={keyImport.startOver}>
        {t('Add more')}
      </Button>,
      <Button key="action" onClick={onDone}>
        {t('Done')}
      </Button>,
    ],
  }[stage]
  return (
    <>
      {way}
      {action}
    </>
  )
}

function Working({ children }: { children: string }) {
  return <Button pending>{children}</Button>
}

function Stop({ keyImport: { stage, stop } }: { keyImport: KeyImport }) {
  return (
    <Button variant="ghost" onClick={stop}>
      {stage === 'sending' ? t('Stop') : t('Cancel')}
    </Button>
  )
}
