/** One payment in the orders, words and marks that banks have for it: what is read hangs on the parts alone. */
import { describe, expect, test } from 'vitest'
import { readWording, told } from '../../../../test/bank/wordings.ts'

const AT = new Date('2026-12-01T18:00:00+05:30')
const REF = '633512340044'
const WIRE = 'HDFCN52026120112345678'
const READ = { outcome: 'proposed', amount: 1_565, ref: REF }

const said = (text: string) => told(readWording({ bank: 'RBL', tail: '4321', sender: 'VM-RBLBNK-S', text }, AT))
const isMoney = (text: string): boolean => 'amount' in said(text)

/** @returns the texts of which something else is read */
const others = (texts: string[], want: object): string[] =>
  texts
    .filter((text) => JSON.stringify(said(text)) !== JSON.stringify(want))
    .map((text) => `${text} → ${JSON.stringify(said(text))}`)

const CAME = [
  'credited with',
  'credited by',
  'credited for',
  'is credited with',
  'was credited with',
  'has been credited by',
  'got credited with',
  'received',
  'has received',
  'Recd',
  'rcvd',
  'Cr',
  'Cr by',
  'Cr.',
  'CR:',
  'has a credit of',
  'has credit for UPI of',
  'is credited for',
  'credited:',
  'UPI credit of',
  'IMPS credit of',
  'Credit:',
  'deposited with',
]
const SUMS = [
  'Rs 1565',
  'Rs.1,565.00',
  'INR 1,565',
  'INR1565.00',
  '₹1,565',
  '₹ 1565.00/-',
  'Rs:1565',
  'Rs. 1,565/-',
  'Re.1565',
  '1,565.00 INR',
  'INR.1565',
  'Rs.INR 1,565.00',
]
const ACCOUNTS = [
  'A/c XX4321',
  'your a/c no. XXXXXX4321',
  'A/C X4321',
  'Acct *4321',
  'Account ending 4321',
  'account ending with 4321',
  'account ending in XX4321',
  'Acc XX4321',
  'a/c ..4321',
  'a/c …4321',
  'A/c ••4321',
  'A/c #4321',
  'A/c-4321',
  'SB A/c **4321',
  'A/c No.:xxxx4321',
  'RBL Bank account (XX4321)',
  'a/c with last 4 digits 4321',
]
const DATES = [
  'on 01-12-26',
  'on 01/12/2026',
  '01Dec26',
  'on 01-Dec-2026 18:01:22',
  'dt 01.12.26',
  'on 1st Dec 2026',
  'on 2026-12-01 18:01',
  'on Dec 1, 2026 at 6:01 PM',
  '',
]
const REFS = [
  'Ref No',
  'Ref No.',
  'Ref no:',
  'Ref',
  'Ref#',
  'Ref. No. is',
  'RefNo',
  'Refno.',
  'Reference',
  'Reference:',
  'Reference No.',
  'reference number',
  'reference number is',
  'UPI Ref',
  'UPI Ref No',
  'UPIRef:',
  'UPI Ref ID',
  'UPI Ref Num:',
  'UPI Ref Nbr',
  'UPI reference no.',
  'UPI:',
  'UPI-',
  'UPI/',
  'UPI',
  'UPI/CR/',
  'UPI CR/',
  'UPI Cr-',
  'UPI/P2A/',
  'UPI/P2P/',
  'UPI/CREDIT/',
  'UPI/CR-',
  'UPIAB/',
  'UPI Txn ID',
  'UPI Txn No.',
  'UPI Txn:',
  'UPI transaction ID',
  'UPI transaction ID is',
  'UPI transaction',
  'Txn ID',
  'TxnID:',
  'Txn Ref No',
  'Txn. Ref.',
  'Transaction ID:',
  'TransactionID',
  'Trans ID',
  'Trxn ID:',
  'Tran Id',
  'UTR',
  'UTR:',
  'UTR No.',
  'UTR is',
  'UTR-',
  'UPI UTR',
  'RRN',
  'RRN:',
  'RRN No',
  'UPI RRN',
  'UPIRRN:',
  'IMPS RRN',
  'IMPS Ref no.',
  'IMPS/',
  'IMPS-',
  'IMPS:',
  'IMPS/P2A/',
  'IMPS P2A/',
  'IMPS*',
  'InfoIMPS*',
  'Info: IMPS-',
  'Info:UPI/',
  'Info - UPI/CR/',
  'Ref: UPI/',
  'Ref No. UPI/CR/',
  'Ref No: IMPS/',
  'MMT/IMPS/',
  'Bank Ref No',
  'Bank Ref.',
  'Ref (UPI)',
  'RRN/UTR:',
  'UTR/RRN No.',
  'Ref No (RRN):',
  'संदर्भ सं.',
  'संदर्भ संख्या',
  'संदर्भ क्र.',
  'संदर्भ क्रमांक',
]
const NUMBERS = ['{}', '{}.', '({})', '{},', '{}/ASHA RAO', '{}-ASHA RAO', '{};', '{}.Bal']

const spaced = (label: string): string => (/[/*-]$/.test(label) ? label : `${label} `)

describe('money that came is read', () => {
  test('with every verb before and behind the sum', () => {
    const texts = CAME.flatMap((verb) => [
      `Your A/c XX4321 ${verb} Rs.1,565.00 on 01-12-26. UPI Ref No ${REF}`,
      `Your A/c XX4321 ${verb} INR 1565 by ASHA RAO (Ref ${REF}) Bal Rs.9,999.00`,
      `UPI Ref No ${REF}. Your A/c XX4321 ${verb} INR 1565`,
    ])
    expect(others(texts, READ)).toEqual([])
  })

  test('with the verb behind the sum, and the parts in other orders', () => {
    const verbs = [
      'credited to',
      'received in',
      'has been credited to',
      'deposited in',
      'was received in',
      'added to',
      'is credited in',
      'Cr. to',
      'cr in',
      'sent to',
      'transferred to',
      'paid to',
      'has been deposited into',
      'got credited to',
      'has been transferred to',
    ]
    const texts = verbs.flatMap((verb) => [
      `Rs.1565 ${verb} your A/c XX4321 on 01-12-26 from ASHA RAO. Ref ${REF}`,
      `Ref No ${REF}: Rs.1565 from ASHA RAO ${verb} your account XX4321.`,
      `On 01-12-26 INR 1,565.00 ${verb} your a/c XX4321 by IMPS-${REF}-ASHA`,
      `An amount of Rs 1,565.00 ${verb} your a/c ending 4321 by UPI (RRN ${REF}). Avl Bal in a/c XX4321 is Rs 9,000.00`,
    ])
    expect(others(texts, READ)).toEqual([])
  })

  test('with every form of sum, account and date', () => {
    const texts = [
      ...SUMS.flatMap((sum) => [
        `A/c XX4321 credited with ${sum} on 01-12-26. Ref ${REF}`,
        `${sum} credited to A/c XX4321. Ref ${REF}`,
      ]),
      ...ACCOUNTS.flatMap((account) => [
        `Rs.1565 credited to ${account} on 01-12-26. Ref ${REF}`,
        `${account} credited with Rs.1565. UPI:${REF}`,
      ]),
      ...DATES.flatMap((date) => [
        `Rs.1565 credited to A/c XX4321 ${date} Ref ${REF}`,
        `A/c XX4321 credited INR 1565 ${date}, RRN ${REF} by ASHA`,
      ]),
    ]
    expect(others(texts, READ)).toEqual([])
  })

  test('with every label of its reference', () => {
    const texts = REFS.flatMap((label) =>
      NUMBERS.map(
        (form) => `INR 1,565.00 credited to your A/c XX4321 on 01-12-26 ${spaced(label)}${form.replace('{}', REF)}`,
      ),
    )
    expect(others(texts, READ)).toEqual([])
  })

  test.each([
    'Info: UPI/ASHA RAO/633512340044/Payment.',
    'Info: IMPS-ASHA RAO-633512340044.',
    'by UPI/ASHA RAO/asha@ybl/633512340044.',
    'for IMPS -ASHA RAO- 633512340044.',
    'by UPI-ASHA RAO-asha@ybl-HDFC0001234-633512340044-rent.',
    'from ASHA RAO Ref No 633512340044.',
    'IMPS/FDRL/633512340044/ASHA.',
    'UPI/CR/633512340044/ASHA/HDFC/9812345678@ybl/UPI.',
    'from A/c linked to mobile 9XXXXXX499-ASHA (IMPS Ref# 633512340044).',
    'from HDFC Bank A/c XX9999 of ASHA RAO. Ref 633512340044',
    'by ASHA RAO, HDFC BANK a/c XXXX9999, UTR 633512340044',
    'from a/c XX9999 (ASHA) via IMPS 633512340044',
    'from VPA 9812345678@ybl UPI Ref:633512340044. Not requested by you? Call 18001234567',
    'by UPI 633512340044. Bank never asks for OTP. Avl Bal Rs 5000',
    'by UPI 633512340044. Updated balance as of 01-12-26 is Rs.9,000.00',
    'by UPI 633512340044. Rs.9,000.00 is your available balance',
    'by UPI 633512340044. Your OTP should never be shared. Bal 9000.',
  ])('with what stands beside it: %s', (rest) =>
    expect(said(`Rs.1565 credited to your A/c XX4321 on 01-12-26 ${rest}`)).toEqual(READ),
  )

  test('with every form of a wire', () => {
    const forms = [
      'NEFT-{}',
      'NEFT/{}/ASHA',
      'NEFT Cr-HDFC0001234-ASHA-SHOP-{}',
      'NEFT UTR {}',
      'NEFT UTR No.{}.',
      'UTR:{} NEFT',
      'NEFT*{}*ASHA',
      'by NEFT ASHA RAO Ref No {}',
      'RTGS-{}-ASHA',
      'NEFT{}',
      'UTR{}',
      'NEFT_{}',
      'NEFTINWARD {}/ASHA',
      'by transfer. Ref No {}',
      'Ref:{}',
      'Txn ID {}',
      'NEFT IN-{}',
    ]
    for (const wire of [
      WIRE,
      'N335262572818466',
      'SBIN526335212345',
      'YESBP26335123456',
      'ICICR52026120112345678',
      'AXISN00406123411',
    ])
      expect(
        others(
          forms.map((form) => `Rs.1565 credited to A/c XX4321 on 01-12-26 ${form.replace('{}', wire)}`),
          { ...READ, ref: wire },
        ),
      ).toEqual([])
  })

  test.each([
    ['hi', 'आपके खाते XX4321 में ₹1,565 जमा हुए। संदर्भ सं 633512340044'],
    ['hi', 'आपका खाता XX4321 रु.1565 से क्रेडिट किया गया है। UPI संदर्भ संख्या 633512340044, शेष रु.9,000'],
    ['hi', 'खाता XX4321 में रुपये 1,565.00 प्राप्त हुए। यूपीआई रेफ नंबर 633512340044'],
    ['mr', 'आपल्या खाते क्र. XX4321 मध्ये रु. 1565 जमा झाले. RRN: 633512340044. शिल्लक रु. 4,010.00'],
    ['mr', 'तुमच्या खात्यात XX4321 रु. 1565 जमा करण्यात आले आहेत. संदर्भ क्र. 633512340044'],
    ['ta', 'உங்கள் கணக்கு XX4321-ல் ரூ.1,565.00 வரவு வைக்கப்பட்டது. RRN 633512340044. இருப்பு ரூ.9,000'],
    ['ta', 'ரூ.1565 உங்கள் கணக்கில் XX4321 கிரெடிட் செய்யப்பட்டது. குறிப்பு எண் 633512340044'],
    ['te', 'మీ ఖాతా XX4321 లో రూ.1565 జమ చేయబడింది. UPI Ref 633512340044. బ్యాలెన్స్ రూ.9,000'],
    ['te', 'మీ ఖాతాలో XX4321 రూ.1,565.00 జమ అయింది. రిఫరెన్స్ నంబర్ 633512340044'],
    ['kn', 'ನಿಮ್ಮ ಖಾತೆ XX4321 ಗೆ ರೂ.1565 ಜಮಾ ಮಾಡಲಾಗಿದೆ. ಉಲ್ಲೇಖ ಸಂಖ್ಯೆ 633512340044'],
    ['kn', 'ನಿಮ್ಮ ಖಾತೆ XX4321 ಗೆ ₹1,565 ಕ್ರೆಡಿಟ್ ಆಗಿದೆ. UPI Ref No 633512340044'],
    ['ml', 'നിങ്ങളുടെ അക്കൗണ്ട് XX4321 ൽ രൂ.1565 ക്രെഡിറ്റ് ചെയ്തു. റഫറൻസ് നമ്പർ 633512340044'],
    ['ml', 'നിങ്ങളുടെ അക്കൗണ്ടിൽ XX4321 1,565 രൂപ നിക്ഷേപിച്ചു. RRN 633512340044'],
    ['bn', 'আপনার অ্যাকাউন্ট XX4321 এ ₹1565 জমা হয়েছে। রেফারেন্স নং 633512340044'],
    ['bn', 'আপনার অ্যাকাউন্টে XX4321 1,565.00 টাকা জমা করা হয়েছে। UPI Ref 633512340044'],
    ['gu', 'તમારા ખાતા XX4321 માં રૂ.1565 જમા થયા છે. સંદર્ભ નંબર 633512340044'],
    ['gu', 'આપના ખાતામાં XX4321 ₹1,565 ક્રેડિટ કરવામાં આવ્યા છે. UPI Ref No 633512340044'],
    ['pa', 'ਤੁਹਾਡੇ ਖਾਤੇ XX4321 ਵਿੱਚ ਰੁ.1565 ਜਮ੍ਹਾਂ ਹੋਏ ਹਨ। ਹਵਾਲਾ ਨੰਬਰ 633512340044'],
    ['or', 'ଆପଣଙ୍କ ଖାତା XX4321 ରେ ଟ.1565 ଜମା ହୋଇଛି। ରେଫରେନ୍ସ ନମ୍ବର 633512340044'],
    ['Hindi in Latin', 'Aapke khate XX4321 mein Rs 1565 jama ho gaye hain. UPI Ref 633512340044'],
  ])('in %s: %s', (_, text) => expect(said(text)).toEqual(READ))
})

describe('money that did not come is none', () => {
  const tails = [`Ref No ${REF}`, `UPI:${REF}. Bal Rs.9,000`, `on 01-12-26 (UPI Ref ${REF})`]
  const withTails = (heads: string[]) => heads.flatMap((head) => tails.map((tail) => `${head} ${tail}`))

  test('in every form of a debit', () => {
    const texts = withTails([
      'A/c XX4321 debited with Rs.1565 and SHOP credited.',
      'Rs.1565 debited from your A/c XX4321 and credited to SHOP.',
      'Your A/c XX4321 Dr by Rs 1565. Received by SHOP.',
      'Debit of Rs.1565 in A/c XX4321, credited to SHOP.',
      'Dr Rs.1565 A/c XX4321; SHOP received it.',
      'Dr. INR 1565 from A/c XX4321. Cr to SHOP.',
      'SHOP has received Rs.1565 from your A/c XX4321.',
      'SHOP received Rs.1565 from A/c XX4321.',
      'Rs.1565 received by SHOP from A/c XX4321.',
      'Your payment of Rs.1565 has been received by SHOP. A/c XX4321',
      'We have received your payment of Rs.1565 from A/c XX4321.',
      'Thank you for the payment of Rs.1565 received towards policy 998. A/c XX4321',
      'You have sent Rs.1565 to your A/c XX4321.',
      'You transferred Rs.1565 to your A/c XX4321.',
      'You paid Rs.1565 to your A/c XX4321.',
      'Rs.1565 sent from your A/c XX4321 and received by SHOP.',
      'Rs.1565 transferred from A/c XX4321 to A/c XX9999, credited.',
      'Rs.1565 was paid from A/c XX4321 to your account XX9999.',
      'Rs.1565 withdrawn from A/c XX4321; cash received?',
      'Purchase of Rs.1565 on A/c XX4321, SHOP credited.',
      'A/c XX4321 charged Rs.1565, credited to SHOP.',
      'Rs.1565 spent from A/c XX4321. Received by SHOP.',
      'Rs.1565 credited to your wallet from A/c XX4321.',
      'Rs.1565 credited to your FASTag wallet. A/c XX4321',
      'IDFC FIRST Bank FASTag 3XXX2F44 credited with Rs.1565 Ref: 5335011911465855. A/c XX4321',
      'Payment of Rs.1565 has been credited to your Freecharge Pay Later. A/c XX4321',
      'Rs.1565 moved from A/c XX4321, credited to FD.',
      'आपके खाते XX4321 से रु 1565 काटे गए और SHOP को जमा हुए।',
      'खाते XX4321 से रु 1565 डेबिट, SHOP खाते में जमा।',
      'உங்கள் கணக்கு XX4321-ல் ரூ.1565 பற்று வைக்கப்பட்டது, SHOP வரவு வைக்கப்பட்டது.',
      'మీ ఖాతా XX4321 నుండి రూ.1565 డెబిట్ చేయబడింది, SHOP కు జమ చేయబడింది.',
      'ನಿಮ್ಮ ಖಾತೆ XX4321 ನಿಂದ ರೂ.1565 ಡೆಬಿಟ್ ಆಗಿದೆ, SHOP ಗೆ ಜಮಾ ಆಗಿದೆ.',
      'അക്കൗണ്ട് XX4321 ൽ നിന്ന് രൂ.1565 ഡെബിറ്റ് ചെയ്തു, SHOP ക്രെഡിറ്റ് ചെയ്തു.',
      'আপনার অ্যাকাউন্ট XX4321 থেকে ₹1565 ডেবিট হয়েছে, SHOP এ জমা হয়েছে।',
      'તમારા ખાતા XX4321 માંથી રૂ.1565 ઉધાર થયા, SHOP જમા થયા.',
      'ਤੁਹਾਡੇ ਖਾਤੇ XX4321 ਤੋਂ ਰੁ.1565 ਡੈਬਿਟ ਹੋਏ, SHOP ਜਮ੍ਹਾਂ ਹੋਏ.',
      'ଆପଣଙ୍କ ଖାତା XX4321 ରୁ ₹1565 ଡେବିଟ୍ ହୋଇଛି, SHOP ଜମା ହୋଇଛି।',
      'Aapke khate XX4321 se Rs 1565 kat gaye, SHOP ko jama ho gaye.',
    ])
    expect(texts.filter(isMoney)).toEqual([])
  })

  test('while it is to come, on hold, asked for, or promised', () => {
    const texts = withTails([
      ...[
        'will be credited to',
        'will get credited to',
        'would be credited to',
        'shall be credited to',
        'is to be credited to',
        'may be credited to',
        'can be credited to',
        'should be credited to',
        'is yet to be credited to',
        'will soon be credited to',
        'is being credited to',
        'will reflect once credited to',
        'will be auto credited to',
        'has not been credited to',
        'was not credited to',
        'could not be credited to',
        'is not yet credited to',
        'cannot be credited to',
        'is on hold and not credited to',
        'will be deposited in',
        'will be received in',
        'if credited to',
        'once credited to',
      ].map((verb) => `Rs.1565 ${verb} your A/c XX4321.`),
      'Rs.1565 received for A/c XX4321 is on hold.',
      'NEFT of Rs.1565 received for A/c XX4321 is in process.',
      'NEFT of Rs.1565 received for A/c XX4321 is under process.',
      'Credit of Rs.1565 to A/c XX4321 is pending.',
      'Credit of Rs.1565 to A/c XX4321 is being processed.',
      'Credit of Rs.1565 to A/c XX4321 is scheduled for 05-12-26.',
      'Credit of Rs.1565 to A/c XX4321 is expected by 05-12-26.',
      'Credit of Rs.1565 to A/c XX4321 is awaiting approval.',
      'You have received a request for Rs.1565. A/c XX4321',
      'Collect request of Rs.1565 received. A/c XX4321',
      'Get Rs.1565 credited to your A/c XX4321.',
      'Earn up to Rs.1565 credited to your A/c XX4321.',
      'You are eligible for credit of Rs.1565 in A/c XX4321.',
      'आपके खाते XX4321 में रु 1565 जमा करेंगे।',
      'खाते XX4321 में रु 1565 जमा होने वाले हैं।',
      'खात्यात XX4321 रु 1565 जमा होतील.',
      'खात्यात XX4321 रु 1565 जमा केले जातील.',
      'खात्यात XX4321 रु 1565 जमा करण्यात येतील.',
      'கணக்கு XX4321-ல் ரூ.1565 வரவு வைக்கப்படும்.',
      'ఖాతా XX4321 లో రూ.1565 జమ చేయబడుతుంది.',
      'ಖಾತೆ XX4321 ಗೆ ರೂ.1565 ಜಮಾ ಮಾಡಲಾಗುತ್ತದೆ.',
      'അക്കൗണ്ട് XX4321 ൽ രൂ.1565 ക്രെഡിറ്റ് ചെയ്യും.',
      'অ্যাকাউন্ট XX4321 এ ₹1565 জমা হবে।',
      'ખાતા XX4321 માં રૂ.1565 જમા થશે.',
      'ਖਾਤੇ XX4321 ਵਿੱਚ ਰੁ.1565 ਜਮ੍ਹਾਂ ਹੋਣਗੇ।',
      'ଖାତା XX4321 ରେ ₹1565 ଜମା ହେବ।',
      'Aapke khate XX4321 mein Rs 1565 jama honge.',
      'Aapke khate XX4321 mein Rs 1565 jama ho jayenge.',
    ])
    expect(texts.filter(isMoney)).toEqual([])
  })

  test('if it came back or failed', () => {
    const texts = withTails([
      ...[
        'reversed',
        'refunded',
        'returned',
        'declined',
        'failed',
        'rejected',
        'cancelled',
        'unsuccessful',
        'not successful',
        'bounced',
        'dishonoured',
        'a reversal',
        'not completed',
      ].flatMap((word) => [
        `Rs.1565 credited to A/c XX4321. Txn is ${word}.`,
        `Your txn is ${word}. Rs.1565 credited to A/c XX4321.`,
      ]),
      'Cheque for Rs.1565 deposited in A/c XX4321 returned unpaid.',
      'खाते XX4321 में रु 1565 जमा हुए, असफल लेनदेन।',
      'खात्यात XX4321 रु 1565 परत जमा झाले.',
      'கணக்கு XX4321-ல் ரூ.1565 திரும்ப வரவு வைக்கப்பட்டது.',
      'ఖాతా XX4321 లో రూ.1565 తిరిగి జమ చేయబడింది.',
      'ಖಾತೆ XX4321 ಗೆ ರೂ.1565 ಮರಳಿ ಜಮಾ ಮಾಡಲಾಗಿದೆ.',
      'അക്കൗണ്ട് XX4321 ൽ രൂ.1565 തിരികെ ക്രെഡിറ്റ് ചെയ്തു.',
      'অ্যাকাউন্ট XX4321 এ ₹1565 ফেরত জমা হয়েছে।',
      'ખાતા XX4321 માં રૂ.1565 પરત જમા થયા.',
      'ਖਾਤੇ XX4321 ਵਿੱਚ ਰੁ.1565 ਵਾਪਸ ਜਮ੍ਹਾਂ ਹੋਏ।',
      'ଖାତା XX4321 ରେ ₹1565 ଫେରସ୍ତ ଜମା ହୋଇଛି।',
    ])
    expect(texts.filter(isMoney)).toEqual([])
  })
})

test('a payer whose name has an apostrophe, or a word of offers, has paid', () => {
  const texts = ['RAVI’S STORE', "ASHA'S TAILORS", 'MONU ELIGIBLE'].flatMap((name) => [
    `Rs 1565 credited to your account from ${name}, UPI Ref ${REF} -RBL Bank`,
    `Rs 1565 credited to A/c XX4321 from ${name} via UPI. Ref no ${REF}`,
  ])
  expect(others(texts, READ)).toEqual([])
})
