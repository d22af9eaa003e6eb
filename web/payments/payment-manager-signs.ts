/** Signs of trouble: what else is known of a request's UTR, phone and buyer, so that a person looks twice. */
import type { Payment } from '../../contract/payments.ts'
import { t } from '../platform/i18n.ts'
import { isRequest } from './payment-manager-words.ts'

/** From here on, requests of one buyer on one day are worth a look. */
const MANY_A_DAY = 3

export interface Sign {
  tone: 'bad' | 'warn' | 'info'
  text: string
}

interface Known {
  sameUtr: readonly Payment[]
  samePhone: readonly Payment[]
  ofBuyer: readonly Payment[]
}

export function signsOf(payment: Payment, { sameUtr, samePhone, ofBuyer }: Known): Sign[] {
  const others = (payments: readonly Payment[]) => payments.filter(({ _id }) => _id !== payment._id)
  const buyerId = payment.userId?._id
  const requests = ofBuyer.filter((other) => isRequest(other) && other.userId?._id === buyerId)
  const day = indianDay(payment.createdAt)
  const today = requests.filter(
    (other) => indianDay(other.createdAt) === day && other.createdAt <= payment.createdAt,
  ).length
  const sharers = new Set(
    others(samePhone)
      .filter((other) => other.payerName === payment.payerName && other.userId && other.userId._id !== buyerId)
      .map((other) => other.userId?.username),
  )

  const signs: Sign[] = []
  if (others(sameUtr).some((other) => other.utr === payment.utr && other.status === 'rejected')) {
    signs.push({ tone: 'bad', text: t('This UTR was rejected before') })
  }
  if (sharers.size > 0) {
    signs.push({ tone: 'bad', text: t('Phone also used by {names}', { names: [...sharers].slice(0, 2).join(', ') }) })
  }
  if (today >= MANY_A_DAY) signs.push({ tone: 'warn', text: t('Request no. {count} today', { count: today }) })
  if (others(requests).every((other) => other.status !== 'approved')) {
    signs.push({ tone: 'info', text: t('First top-up') })
  }
  return signs
}

const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })

function indianDay(moment: string): string {
  return day.format(new Date(moment))
}
