/** Holds the store's terms, section by section, in a buyer's words. */
import { TERMS_CHANGED, TERMS_EFFECTIVE } from '../../contract/limits.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'

export interface TermsSection {
  /** Its anchor on the page. */
  id: string
  title: string
  paragraphs: readonly string[]
  points?: readonly string[]
  /** Text after the points. */
  closing?: string
  /** What the owner adds. */
  note?: string
}

/** What the store's settings say about refunds. */
export interface RefundTerms {
  /** In rupees; 0 for none. */
  refundFee: number
  /** Empty for nothing. */
  refundNote: string
}

export const USUAL_REFUNDS: RefundTerms = { refundFee: 20, refundNote: '' }

/** @param site the store's name */
export function termsSections(site: string, refunds: RefundTerms = USUAL_REFUNDS): TermsSection[] {
  return [...aboutStore(site), ...aboutMoney(site, refunds), ...aboutRules(site)]
}

/** The store and what it sells. */
function aboutStore(site: string): TermsSection[] {
  return [
    {
      id: 'overview',
      title: t('Platform overview'),
      paragraphs: [
        t(
          '{site} is an online store for digital licence keys that work for a limited time. You add money to a ' +
            'wallet, buy keys with it, and find every key you have bought under My Key, with the time it has left.',
          { site },
        ),
        t(
          'By opening an account, adding money or buying a key, you accept the terms in force on that day. These ' +
            'terms took effect on {date} and were last changed on {changed}. If we ' +
            'change them, we’ll post the new terms here with a new date. Earlier purchases stay under the terms you ' +
            'bought them on.',
          { date: t(TERMS_EFFECTIVE), changed: t(TERMS_CHANGED) },
        ),
        t(
          'Your account is for you only and works on one device at a time. Keep your password safe. You are ' +
            'responsible for everything done from your account.',
        ),
      ],
    },
    {
      id: 'ownership',
      title: t('Ownership and removal requests'),
      paragraphs: [
        t(
          'Names, logos and software shown in this store belong to their owners. {site} resells licence keys. It ' +
            'does not own those products and is not linked to their makers unless the product page says so.',
          { site },
        ),
        t(
          'If you own the rights to something sold here and want it changed or removed, contact us with these details:',
        ),
      ],
      points: [
        t('who you are and how we can reach you;'),
        t('which product or text you mean, with its name or link;'),
        t('what rights you hold, with proof.'),
      ],
      closing: t('We review every request that has these details, and remove what must be removed.'),
    },
    {
      id: 'products',
      title: t('Nature of products'),
      paragraphs: [
        t(
          'Everything sold here is digital. A licence key is a code that unlocks a product for a set time, such as ' +
            '10 days or 1 month. Nothing is shipped to you.',
        ),
        t(
          'A key’s validity starts when you buy it, whether or not you use it. When it ends, the key stops working ' +
            'and stays in your list as expired. A key lets you use the product for that time. It does not give you ' +
            'ownership of the product or the right to resell the key.',
        ),
        t(
          'We describe products as we know them. Their makers can change, limit or end them, and we do not decide ' +
            'that.',
        ),
      ],
    },
  ]
}

/** Paying, refunds and fair use. */
function aboutMoney(site: string, { refundFee, refundNote }: RefundTerms): TermsSection[] {
  return [
    {
      id: 'payment',
      title: t('Payment by UPI QR only'),
      paragraphs: [
        t(
          'Money is added by UPI only: you pay to the QR code or UPI ID that the store shows in the payment ' +
            'dialog, then send us the UTR of your payment and a phone number we can reach you at. We take no cards, ' +
            'no cash and no payments to any other account. Nobody from {site} asks you to pay somewhere else.',
          { site },
        ),
        t(
          'We compare each request with the money that has arrived, and then approve or reject it. Your wallet is ' +
            'credited on approval, not before. If another amount arrived, we may credit that amount instead. ' +
            'Requests with an invalid UTR or a UTR already used are rejected. You can see the reason with your ' +
            'request, if we gave one.',
        ),
        t(
          'Wallet money is for buying in this store. It earns no interest, cannot be passed to another account, ' +
            'and is not paid out except as the refund policy says. Money with an expiry date expires on that date.',
        ),
        t(
          'A key that you set to renew is bought from your wallet when the old one ends, for at most the price you ' +
            'allowed. You can stop it until then.',
        ),
      ],
    },
    {
      id: 'refunds',
      title: t('Refund policy'),
      paragraphs: [
        t(
          'Keys are delivered as soon as you buy them, so sales are final. There is one exception. You can ask for ' +
            'a partial refund if both of these are true:',
        ),
      ],
      points: [
        t('You contact us within 2 hours of the purchase.'),
        t('More than 75% of the key’s time is still unused.'),
      ],
      closing: `${feeText(refundFee)} ${t(
        'The rest goes to your wallet. We don’t refund keys that were shared, passed on or used against these ' +
          'terms. If a key never worked or was already used, report it under My Key, until 7 days after it ' +
          'expires. We replace it or return its price to your wallet. The fee and the two conditions do not apply ' +
          'to it, and you keep every right that the law gives you. We answer each report under its key, within 48 ' +
          'hours.',
      )}`,
      ...(refundNote !== '' && { note: refundNote }),
    },
    {
      id: 'usage',
      title: t('Usage disclaimer'),
      paragraphs: [
        t(
          'You decide how you use a product, and you are responsible for it. First check that the law where you ' +
            'live, and the rules of the game or service, allow its use. {site} is not liable for restricted or ' +
            'banned accounts, lost data or other harm from using a product.',
          { site },
        ),
        t(
          'The store and its products are provided as they are. We work to keep them running, and cannot promise ' +
            'that they are without interruption or error. Nothing in these terms takes away rights that the law ' +
            'gives you as a consumer.',
        ),
        t(
          'We may close an account that is used for fraud, to disturb the store or other people, or against these ' +
            'terms.',
        ),
      ],
    },
  ]
}

function feeText(fee: number): string {
  return fee === 0
    ? t('We deduct no service fee.')
    : t('We deduct a service fee of ₹20 to ₹50 from the refund. It is now {fee}.', { fee: formatRupees(fee) })
}

/** Disputes, records and the law. */
function aboutRules(site: string): TermsSection[] {
  return [
    {
      id: 'chargebacks',
      title: t('Chargebacks'),
      paragraphs: [
        t(
          'If a payment goes wrong, contact us first. We treat it as misuse if you reverse or dispute a payment ' +
            'after we have credited the money or delivered the key.',
        ),
        t(
          'In such cases we may take back the money, stop the keys bought with it, close the account, and share ' +
            'the records listed in the next section with the bank or the authorities.',
        ),
      ],
    },
    {
      id: 'logging',
      title: t('What we record at payment'),
      paragraphs: [t('To match payments and to settle disputes, these things are recorded with each payment:')],
      points: [
        t('the IP address it was sent from;'),
        t('the date and time;'),
        t('the product or top-up it was for;'),
        t('the transaction id (UTR);'),
        t('your contact number and your email.'),
      ],
      closing: t(
        'We use these records to run the store, process refunds and prevent fraud. We do not sell them. We share ' +
          'them where the law requires it, to prove a payment to a bank, and with the services that carry our ' +
          'messages (email, Telegram, push). When your account is closed, we ' +
          'erase your personal details and keep only the sales figures our accounts require.',
      ),
    },
    {
      id: 'age',
      title: t('Age'),
      paragraphs: [
        t(
          'If you are under 18, you need the permission of a parent or guardian to open an account, to add money ' +
            'and to buy. By using {site} you confirm that you are 18 or older, or that you have that permission. The ' +
            'person who gives permission is responsible for the purchases.',
          { site },
        ),
      ],
    },
    {
      id: 'law',
      title: t('Indian jurisdiction'),
      paragraphs: [
        t(
          'These terms are governed by the laws of India. If we cannot settle a dispute with you, the courts in ' +
            'India where the store operator is based have jurisdiction.',
        ),
        t('If a part of these terms turns out to be invalid, the other parts remain in force.'),
      ],
    },
    {
      id: 'declaration',
      title: t('Final declaration'),
      paragraphs: [
        t(
          'By ticking the box in the payment dialog, or by buying in this store, you declare that you have read ' +
            'these terms, that you understand them, and that you agree to them; that the details you give are true; ' +
            'and that the money you pay with is yours to spend.',
        ),
      ],
    },
  ]
}
