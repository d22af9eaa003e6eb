/** The phone page in both languages at once: nobody has logged in, so nobody has chosen one. */
import { t } from '../platform/i18n.ts'

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
  battery: string
  test: string
  testHint: string
  works: string
  dead: string
  steps: Record<AppName, readonly string[]>
}

export type AppName = 'macrodroid' | 'forwarder' | 'smsforwarder' | 'iphone'

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
    filter: t('Only messages with'),
    battery: t('Last, let the app run: in the phone’s settings, set its battery use to “Unrestricted”.'),
    test: t('Send a test'),
    testHint: t('Then send one from the app too. The panel turns green when it arrives.'),
    works: t('The store got a message from this phone.'),
    dead: t(
      'This code was already used or has expired. Create a new one in the panel: Settings > Bank accounts and rules.',
    ),
    steps: {
      macrodroid: [
        t('Install MacroDroid from the Play Store. Add a macro.'),
        t('Trigger: SMS Received, any sender, content contains a word below.'),
        t('Action: HTTP Request, POST. Paste the address, the headers and the body. Content type: text/plain.'),
      ],
      forwarder: [
        t('Install “Incoming SMS to URL forwarder” from F-Droid. Add a rule for the sender *.'),
        t('Paste the address. Paste the header as JSON. Keep the body as it is.'),
      ],
      smsforwarder: [
        t('Install SmsForwarder. Add a sender of the type Webhook, with the method POST.'),
        t('Paste the address and the header. Params: the body below.'),
        t('Add a rule: SMS, or app notification, with the words below. Choose that sender.'),
      ],
      iphone: [
        t('Open Shortcuts, Automation, Message. “Message contains” one of the words below. Run immediately.'),
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
    filter: 'सिर्फ़ ये शब्द वाले मैसेज',
    battery: 'आख़िर में फ़ोन की सेटिंग में ऐप की बैटरी “Unrestricted” करें, ताकि ऐप चलती रहे।',
    test: 'टेस्ट भेजें',
    testHint: 'फिर एक टेस्ट ऐप से भी भेजें। मिलते ही पैनल हरा हो जाएगा।',
    works: 'स्टोर को इस फ़ोन का मैसेज मिल गया।',
    dead: 'यह कोड इस्तेमाल हो चुका है या पुराना हो गया है। पैनल में नया बनाएँ: Settings > Bank accounts and rules।',
    steps: {
      macrodroid: [
        'Play Store से MacroDroid इंस्टॉल करें। नया Macro जोड़ें।',
        'Trigger: SMS Received, कोई भी भेजने वाला, content contains में नीचे का एक शब्द।',
        'Action: HTTP Request, POST। पता, हेडर और बॉडी पेस्ट करें। Content type: text/plain।',
      ],
      forwarder: [
        'F-Droid से “Incoming SMS to URL forwarder” इंस्टॉल करें। Sender * के लिए नियम जोड़ें।',
        'पता पेस्ट करें। हेडर JSON में पेस्ट करें। बॉडी वैसी ही रहने दें।',
      ],
      smsforwarder: [
        'SmsForwarder इंस्टॉल करें। Webhook प्रकार का Sender जोड़ें, method POST।',
        'पता और हेडर पेस्ट करें। Params: नीचे की बॉडी।',
        'नियम जोड़ें: SMS या ऐप नोटिफ़िकेशन, नीचे के शब्दों के साथ। वही Sender चुनें।',
      ],
      iphone: [
        'Shortcuts, Automation, Message खोलें। “Message contains” में नीचे का एक शब्द। Run immediately।',
        '“Get contents of URL” जोड़ें: POST। पता और हेडर पेस्ट करें।',
        'Request body: JSON, text = Message और from = Sender। SMS तभी जाएगा जब iPhone अनलॉक हो।',
      ],
    },
  }),
}
