/** The phone page in both languages at once: nobody has logged in, so nobody has chosen one. */
import { t } from '../platform/i18n.ts'
import type { AppName } from './phone-apps.ts'

export type Language = 'en' | 'hi'

export interface PhoneWords {
  connect: string
  connectHint: string
  connected: string
  once: string
  address: string
  header: string
  body: string
  filter: string
  filterWords: string
  battery: string
  rcs: string
  iphoneRcs: string
  playProtect: string
  checks: string
  checkAddress: string
  checkAddressHint: string
  checkSmsHint: string
  checkBank: string
  checkBankHint: string
  waits: string
  works: string
  dead: string
  steps: Record<AppName, readonly string[]>
}

/** Apps name their controls in English everywhere, so these stay. */
export const WORDS: Record<Language, () => PhoneWords> = {
  en: () => ({
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
    checkBankHint: t('Wait for the next SMS of your bank about money that came.'),
    waits: t('Each step is checked off here.'),
    works: t('It works. The store got a message of your bank.'),
    dead: t(
      'This code was already used or has expired. Create a new one in the panel: Settings > Bank accounts and rules.',
    ),
    steps: {
      macrodroid: [
        t('Install MacroDroid from the Play Store. Add a macro.'),
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
        t('Install SmsForwarder. Add a sender of the type Webhook, with the method POST.'),
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
    },
  }),
  hi: () => ({
    connect: 'कनेक्ट करें',
    connectHint: 'यह फ़ोन सिर्फ़ पैसे आने के मैसेज भेजेगा। स्टोर में और कुछ नहीं कर सकता।',
    connected: '{name} कनेक्ट हो गया',
    once: 'अब अपनी ऐप सेट करें। यह पेज टोकन सिर्फ़ एक बार दिखाता है और कहीं नहीं रखता।',
    address: 'पता (URL)',
    header: 'हेडर',
    body: 'बॉडी',
    filter: 'टेक्स्ट फ़िल्टर',
    filterWords: 'सिर्फ़ इनमें से एक शब्द वाले मैसेज',
    battery: 'आख़िर में फ़ोन की सेटिंग में ऐप की बैटरी “Unrestricted” करें, ताकि ऐप चलती रहे।',
    rcs: 'Google Messages > Settings > RCS chats खोलकर बंद करें। RCS मैसेज कोई ऐप आगे नहीं भेज सकती।',
    iphoneRcs: 'Settings > Apps > Messages खोलकर RCS Messaging बंद करें।',
    playProtect: 'SMS पढ़ने वाली ऐप पर Android यह दिखा सकता है। ऐप सिर्फ़ Play Store या F-Droid से लें।',
    checks: 'जाँच',
    checkAddress: 'पता',
    checkAddressHint: 'ऐप में “Test” दबाएँ। इससे सिर्फ़ यह दिखता है कि स्टोर तक पहुँच है।',
    checkSmsHint: 'दूसरे फ़ोन से इस फ़ोन पर यह SMS भेजें:',
    checkBank: 'बैंक',
    checkBankHint: 'पैसे आने पर बैंक के अगले SMS का इंतज़ार करें।',
    waits: 'यह पेज हर कदम अपने आप टिक करता है।',
    works: 'सब ठीक है। स्टोर को आपके बैंक का मैसेज मिल गया।',
    dead: 'यह कोड इस्तेमाल हो चुका है या पुराना हो गया है। पैनल में नया बनाएँ: Settings > Bank accounts and rules।',
    steps: {
      macrodroid: [
        'Play Store से MacroDroid इंस्टॉल करें। नया Macro जोड़ें।',
        'Trigger “SMS Received” तीन बार जोड़ें: Any number, “Contains”, हर बार नीचे का एक शब्द।',
        '“Enable Regex” बंद रखें।',
        'Action: HTTP Request, POST। पता, दोनों हेडर और बॉडी पेस्ट करें। Content type: text/plain।',
      ],
      forwarder: [
        'F-Droid से “Incoming SMS to URL forwarder” इंस्टॉल करें। Sender * के लिए नियम जोड़ें।',
        'पता पेस्ट करें। हेडर JSON में पेस्ट करें। बॉडी वैसी ही रहने दें।',
        'अगर आपके वर्ज़न में हो तो टेक्स्ट फ़िल्टर पेस्ट करें। “Chunked mode” बंद, “Store failed” चालू करें।',
      ],
      smsforwarder: [
        'SmsForwarder इंस्टॉल करें। Webhook प्रकार का Sender जोड़ें, method POST।',
        'पता और हेडर पेस्ट करें। Params: नीचे की बॉडी।',
        'नियम जोड़ें: SMS, match field “content”, match mode “regex”, टेक्स्ट फ़िल्टर। वही Sender चुनें।',
        'पेमेंट ऐप के नोटिफ़िकेशन के लिए भी ऐसा ही नियम जोड़ें। कुछ फ़ोन सिर्फ़ शीर्षक देते हैं, और ' +
          'Android 15 टेक्स्ट छिपा सकता है। क्या आया, यह पैनल में “Messages today” दिखाता है।',
      ],
      iphone: [
        'Shortcuts, Automation, Message खोलें। हर शब्द के लिए एक Automation: “Message contains”, Run immediately।',
        '“Get contents of URL” जोड़ें: POST। पता और हेडर पेस्ट करें।',
        'Request body: JSON, text = Message और from = Sender। SMS तभी जाएगा जब iPhone अनलॉक हो।',
      ],
    },
  }),
}
