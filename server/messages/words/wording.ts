/** What a message says. */
export interface Words {
  title: string
  body: string
  /** A path of the store's own. */
  path: string
  /** A newer message with the same tag replaces this one on a phone. */
  tag: string
}
