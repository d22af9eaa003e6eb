import { t } from '../platform/i18n.ts'
import type { AppName } from './phone-apps.ts'

/** Apps name their controls in English everywhere, so these stay. */
export const phoneWords = () => ({
  connect: t('Connect'),
  connectHint: t('This phone will forward SMS about money you receive. It can’t do anything else in the store.'),
  connected: t('{name} is connected'),
  once: t('Set up your app now. This page shows the token only once and doesn’t keep it.'),
  address: t('Address'),
  header: t('Header'),
  body: t('Body'),
  filter: t('Text filter'),
  filterWords: t('Only messages with one of these words'),
  battery: t('Last, let the app run: in the phone’s settings, set its battery use to “Unrestricted”.'),
  rcs: t('Open Google Messages, Settings, RCS chats, and turn them off. No app can forward RCS messages.'),
  iphoneRcs: t('Open Settings, Apps, Messages, and turn RCS Messaging off.'),
  playProtect: t('Android may show this for an app that reads SMS. Install from the Play Store or F-Droid only.'),
  checks: t('Check it'),
  checkAddress: t('Address'),
  checkAddressHint: t('Press “Test” in the app. It shows that the store can be reached, and no more.'),
  checkSmsHint: t('From another phone, send this as an SMS to this phone:'),
  checkBank: t('Bank'),
  checkBankHint: t('Wait for your bank’s next SMS about money you received.'),
  waits: t('Each step is checked off here.'),
  works: t('It works. The store got a message from your bank.'),
  /** Said on a page without a code. */
  noCode: t('Open this page from the QR code in the panel: Settings > Bank accounts and rules.'),
  dead: t(
    'This code was already used or has expired. Create a new one in the panel: Settings > Bank accounts and rules.',
  ),
  /** Of MacroDroid, with the file. */
  macro: [
    t('Install MacroDroid from the Play Store. Open it once.'),
    t('Save the macro below. Open the saved file with MacroDroid, and let it read SMS.'),
  ],
  byHand: t('The file doesn’t open? Add the macro by hand.'),
  steps: {
    macrodroid: [
      t('In MacroDroid, add a macro.'),
      t(
        'Add the trigger “SMS Received” three times: any number, “Contains”, and one of the words below. Leave ' +
          '“Enable Regex” off.',
      ),
      t('Action: HTTP Request, POST. Paste the address, both headers and the body. Content type: text/plain.'),
    ],
    forwarder: [
      t('Install “Incoming SMS to URL forwarder” from F-Droid. Add a rule for the sender *.'),
      t('Paste the address. Paste the header as JSON. Keep the body as it is.'),
      t('Paste the text filter, if your version has one. Turn “Chunked mode” off and “Store failed” on.'),
    ],
    smsforwarder: [
      t(
        'SmsForwarder is in no app store, only at github.com/pppscn/SmsForwarder. Choose it if you need ' +
          'notifications. Add a sender of the type Webhook, with the method POST.',
      ),
      t('Paste the address and the header. Params: the body below.'),
      t('Add a rule: SMS, match field “content”, match mode “regex”, the text filter. Choose that sender.'),
      t(
        'For a payment app, add a rule for its notifications in the same way. Some phones show an app only their ' +
          'title, and Android 15 may hide their text. “Messages today” in the panel shows what came.',
      ),
    ],
    iphone: [
      t('Open Shortcuts, Automation, Message. Add an automation for each word: “Message contains”, run immediately.'),
      t('Add “Get contents of URL”: POST. Paste the address and the header.'),
      t(
        'Request body: JSON with text = Message and from = Sender. It forwards SMS only while the ' +
          'iPhone is unlocked.',
      ),
    ],
  } satisfies Record<AppName, readonly string[]>,
})
export type PhoneWords = ReturnType<typeof phoneWords>
