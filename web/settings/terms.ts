/** The store's terms, section by section, in words a buyer understands. */
import { TERMS_EFFECTIVE } from '../../contract/limits.ts'
import { t } from '../platform/i18n.ts'

export interface TermsSection {
  /** Its address on the page. */
  id: string
  title: string
  paragraphs: readonly string[]
  points?: readonly string[]
  /** After the points. */
  closing?: string
}

/** @param site the store's name */
export function termsSections(site: string): TermsSection[] {
  return [
    {
      id: 'overview',
      title: t('Platform overview'),
      paragraphs: [
        t(
          '{site} is an online store for digital licence keys that work for a limited time. You add money to a wallet, buy keys with it, and find every key you have bought under My Key, with the time it has left.',
          { site },
        ),
        t(
          'By opening an account, adding money or buying a key you accept these terms as they stand on that day. They take effect on {date}. When they change, the new text appears on this page with a new date; what you bought before stays under the text you bought it under.',
          { date: TERMS_EFFECTIVE },
        ),
        t(
          'Your account is for you alone and works on one device at a time. You look after your password, and what is done with your account counts as done by you.',
        ),
      ],
    },
    {
      id: 'ownership',
      title: t('Ownership and removal requests'),
      paragraphs: [
        t(
          'Names, logos and software that are mentioned in this store belong to their owners. {site} resells licence keys, does not claim to own those products, and is not connected with their makers unless a product’s page says so.',
          { site },
        ),
        t(
          'If you own the rights in something offered here and want it changed or taken down, write to support. Tell us:',
        ),
      ],
      points: [
        t('who you are and how we can reach you;'),
        t('which product or text is meant, with its name or address;'),
        t('what your right in it is, with something that shows it.'),
      ],
      closing: t('We look at every request that has these details, and remove what has to be removed without delay.'),
    },
    {
      id: 'products',
      title: t('Nature of products'),
      paragraphs: [
        t(
          'Everything sold here is digital: a licence key, which is a piece of text that opens a product for a stated time, such as 10 days or 1 month. Nothing is posted to you.',
        ),
        t(
          'The time of a key runs from the moment you buy it, whether you use the key or not. When it is over, the key stops working and stays in your list as expired. Buying a key gives you the use of the product for that time and nothing more: no ownership of the product, and no right to sell the key on.',
        ),
        t(
          'We describe products as we know them. Their makers can change, limit or end them, and we do not decide that.',
        ),
      ],
    },
    {
      id: 'payment',
      title: t('Payment by UPI QR only'),
      paragraphs: [
        t(
          'Money is added by UPI only: you pay to the QR code or UPI ID that the store shows in the payment dialog, then send us the UTR of your payment and a phone number we can reach you at. We take no cards, no cash and no payments to any other account. Nobody from {site} asks you to pay somewhere else.',
          { site },
        ),
        t(
          'An admin compares each request with the money that has arrived and then approves or rejects it. Your wallet is credited on approval, not before. A wrong amount, a UTR that does not exist or one that was already used leads to a rejection, and you can see the reason beside your request.',
        ),
        t(
          'Wallet money is for buying in this store. It earns no interest, cannot be passed to another account, and is not paid out except as the refund policy says. Credit with an end date lapses on that date.',
        ),
      ],
    },
    {
      id: 'refunds',
      title: t('Refund policy'),
      paragraphs: [
        t(
          'A key is delivered the moment you buy it, so a sale is final as a rule. There is one exception: you can ask for a partial refund when both of these are true.',
        ),
      ],
      points: [
        t('You write to support within 2 hours of the purchase.'),
        t('More than 75% of the key’s time is still unused.'),
      ],
      closing: t(
        'From a refund we keep a service fee of ₹20 to ₹50, depending on the amount. The rest goes back into your wallet. Keys that were shared, passed on or used against these terms are not refunded. A key that never worked is replaced or refunded in full: tell support, with the key and what you saw.',
      ),
    },
    {
      id: 'usage',
      title: t('Usage disclaimer'),
      paragraphs: [
        t(
          'You decide how you use a product, and you answer for it. Check beforehand whether its use is allowed by law where you are and by the rules of the game or service you use it with. {site} is not liable for accounts that are limited or banned, for lost data, or for other harm that comes from using a product.',
          { site },
        ),
        t(
          'The store and its products are provided as they are. We work to keep them running, and cannot promise that they are without interruption or error. Nothing in these terms takes away rights that the law gives you as a consumer.',
        ),
        t(
          'We may close an account that is used for fraud, to disturb the store or other people, or against these terms.',
        ),
      ],
    },
    {
      id: 'chargebacks',
      title: t('Chargebacks'),
      paragraphs: [
        t(
          'If something about a payment is wrong, write to support first; most cases are settled the same day. Reversing a payment, or disputing it at your bank, after its money has been credited or its key delivered is treated as misuse.',
        ),
        t(
          'In such a case we may take the credit back, stop the keys that were bought with it, close the account, and give the records named in the next section to the bank or the authorities.',
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
        'We use these records for running the store, for refunds and against fraud. We do not sell them. They are shown to others only where the law asks for it, or to prove a payment to a bank. When your account is closed, your personal details are erased, and the bare figures of past sales remain, as the books require.',
      ),
    },
    {
      id: 'age',
      title: t('Age'),
      paragraphs: [
        t(
          'If you are under 18, you need the permission of a parent or guardian to open an account, to add money and to buy. By using {site} you confirm that you are 18 or older, or that you have that permission. Whoever gives it answers for what is bought.',
          { site },
        ),
      ],
    },
    {
      id: 'law',
      title: t('Indian jurisdiction'),
      paragraphs: [
        t(
          'These terms are governed by the laws of India. Disputes that support cannot settle with you belong before the courts of India that have jurisdiction where the store’s operator is based.',
        ),
        t('If a part of these terms turns out to be invalid, the other parts remain in force.'),
      ],
    },
    {
      id: 'declaration',
      title: t('Final declaration'),
      paragraphs: [
        t(
          'By ticking the box in the payment dialog, or by buying in this store, you declare that you have read these terms, that you understand them, and that you agree to them; that the details you give are true; and that the money you pay with is yours to spend.',
        ),
      ],
    },
  ]
}
