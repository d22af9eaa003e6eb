import { Fragment } from 'react'

/** An address that is too long for its line breaks before its @ and its dots. */
export function Email({ address }: { address: string }) {
  return (
    <span translate="no">
      {address.split(/(?=[@.])/).map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts have no names, and keep their order
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
