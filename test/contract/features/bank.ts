import { randomBytes } from 'node:crypto'
import { expect, inject } from 'vitest'
import { CASHIERS, DESK } from '../../leaks/places.ts'
import { startStore } from '../../store.ts'
import { alertOf, pairing, phone, plainAlertOf, unknownSender } from '../../worlds/phones.ts'
import { nextUtr, openShop, type Shop } from '../../worlds/shop.ts'
import { unproven } from '../../worlds/admins.ts'
import { account, confirmed, credited, imported, rules, statementOf } from '../../worlds/bank.ts'
import { decided, missing, pending } from '../things.ts'
import type { Walk } from '../walk.ts'

const provoked = async (shop: Shop) => unproven(shop)
const alarm = async (shop: Shop): Promise<string> => {
  const id = await decided(shop)
  const { payments } = await shop.owner.api.payments.list({ limit: 100 })
  const utr = payments.find((payment) => payment._id === id)?.utr ?? ''
  await imported(shop, (await account(shop))._id, [{ refs: [utr], amount: 90 }])
  const { alarms } = await shop.owner.api.bank.alarms({ open: true })
  return alarms[0]?._id ?? ''
}

const trial = async (shop: Shop): Promise<string> => {
  const { accountId, header } = await unknownSender(shop)
  return (await shop.owner.api.bank.addSender({ accountId, header }))._id
}

const wording = async (shop: Shop): Promise<string> => {
  await (await phone(shop)).say(plainAlertOf({}))
  return (await shop.owner.api.bank.forms({})).forms[0]?._id ?? ''
}

export const bank: Walk<'bank'> = {
  succeed: {
    accounts: (shop) => shop.owner.get('/bank/accounts'),
    createAccount: (shop) =>
      shop.owner.post('/bank/accounts', { bank: 'HDFC', label: 'Shop', tail: nextUtr().slice(-6), feedsStore: true }),
    saveAccount: async (shop) => {
      const one = await account(shop)
      return shop.owner.put(`/bank/accounts/${one._id}`, { ...one, label: 'Renamed' })
    },
    preview: async (shop) => shop.owner.post('/bank/statements/preview', { text: statementOf([{}]) }),
    import: async (shop) =>
      shop.owner.post('/bank/statements', { text: statementOf([{}]), accountId: (await account(shop))._id }),
    imports: async (shop) => {
      await credited(shop)
      return shop.owner.get('/bank/statements')
    },
    credits: async (shop) => {
      await credited(shop)
      return shop.owner.get('/bank/credits')
    },
    creditTo: async (shop) => {
      const { creditId } = await credited(shop)
      const { id } = await shop.buyer()
      return shop.owner.post(`/bank/credits/${creditId}/credit`, { userId: id, reason: 'Asked by phone' })
    },
    creditInstead: async (shop) => {
      const { id, creditId } = await confirmed(shop, { amount: 100, shown: 90 })
      return shop.owner.put(`/payments/${id}/credit-instead`, { creditId, expectedAmount: 90 })
    },
    setAside: async (shop) =>
      shop.owner.put(`/bank/credits/${(await credited(shop)).creditId}/set-aside`, { why: 'Own money' }),
    takeBack: async (shop) => {
      const { creditId } = await credited(shop)
      const { id: userId } = await shop.buyer()
      const paid = await shop.owner.api.bank.creditTo({ id: creditId, userId, reason: 'Asked' })
      return shop.owner.post(`/payments/${paid._id}/take-back`, { reason: 'Another buyer’s' })
    },
    rules: (shop) => shop.owner.get('/bank/rules'),
    saveRules: (shop) => shop.owner.put('/bank/rules', rules()),
    alarms: (shop) => shop.owner.get('/bank/alarms'),
    closeAlarm: async (shop) => shop.owner.put(`/bank/alarms/${await alarm(shop)}`, { note: 'Looked at' }),
    invite: async () => {
      // PUBLIC_URL must say https
      const store = await startStore(inject('engine'), { publicOrigin: 'https://store.example' })
      const shop = await openShop(store)
      const answer = await shop.owner.post('/bank/devices', { name: 'Till', accountIds: [(await account(shop))._id] })
      await store.stop()
      return answer
    },
    pair: async (shop) => shop.visitor().post('/bank/devices/pair', { code: await pairing(shop, await account(shop)) }),
    alert: async (shop) => (await phone(shop)).say(alertOf({})),
    steps: async (shop) => {
      const { token } = await phone(shop)
      return shop.visitor().call('GET', '/bank/devices/own', undefined, { authorization: `Bearer ${token}` })
    },
    devices: async (shop) => {
      await phone(shop)
      return shop.owner.get('/bank/devices')
    },
    updateDevice: async (shop) => shop.owner.put(`/bank/devices/${(await phone(shop)).id}`, { paused: true }),
    heard: async (shop) => {
      const { id, say } = await phone(shop)
      await say('HDFC Bank: Rs 5 has come into a/c ending 5678 via UPI, ref 632545103000')
      return shop.owner.get(`/bank/devices/${id}/heard`)
    },
    unread: async (shop) => {
      await (await phone(shop)).say('HDFC Bank: Rs 5 has come into a/c ending 5678 via UPI, ref 632545103000')
      return shop.owner.get('/bank/alerts')
    },
    senders: async (shop) => {
      await trial(shop)
      return shop.owner.get('/bank/senders')
    },
    addSender: async (shop) => {
      const { accountId, header } = await unknownSender(shop)
      return shop.owner.post('/bank/senders', { accountId, header })
    },
    endSender: async (shop) => shop.owner.put(`/bank/senders/${await trial(shop)}`, { ended: true }),
    forms: async (shop) => {
      await (await phone(shop)).say(plainAlertOf({}))
      return shop.owner.get('/bank/forms')
    },
    learnForm: async (shop) => shop.owner.put(`/bank/forms/${await wording(shop)}`, { learned: false }),
  },
  refuse: {
    alert: {
      DEVICE_TOKEN_INVALID: (shop) =>
        shop.visitor().call('POST', '/bank/alerts', 'x', { authorization: 'Bearer of-nobody' }),
    },
    steps: { DEVICE_TOKEN_INVALID: (shop) => shop.visitor().get('/bank/devices/own') },
    pair: { PAIRING_INVALID: (shop) => shop.visitor().post('/bank/devices/pair', { code: 'none' }) },
    invite: {
      STEP_UP_REQUIRED: async (shop) =>
        (await provoked(shop)).post('/bank/devices', { name: 'Till', accountIds: [missing()] }),
      NOT_FOUND: (shop) => shop.owner.post('/bank/devices', { name: 'Till', accountIds: [missing()] }),
      HTTPS_REQUIRED: async (shop) =>
        shop.owner.post('/bank/devices', { name: 'Till', accountIds: [(await account(shop))._id] }),
    },
    heard: { NOT_FOUND: (shop) => shop.owner.get(`/bank/devices/${missing()}/heard`) },
    updateDevice: {
      NOT_FOUND: (shop) => shop.owner.put(`/bank/devices/${missing()}`, { paused: true }),
      STEP_UP_REQUIRED: async (shop) => {
        const { id } = await phone(shop)
        return (await provoked(shop)).put(`/bank/devices/${id}`, { paused: false })
      },
    },
    createAccount: {
      ACCOUNT_TAKEN_HERE: async (shop) => {
        const { bank: name, label, tail, feedsStore } = await account(shop)
        return shop.owner.post('/bank/accounts', { bank: name, label, tail, feedsStore })
      },
      STEP_UP_REQUIRED: async (shop) =>
        (await provoked(shop)).post('/bank/accounts', {
          bank: 'HDFC',
          label: 'Shop',
          tail: '123456',
          feedsStore: true,
        }),
    },
    saveAccount: {
      NOT_FOUND: async (shop) => shop.owner.put(`/bank/accounts/${missing()}`, await account(shop)),
      ACCOUNT_TAKEN_HERE: async (shop) => {
        const [one, other] = [await account(shop), await account(shop)]
        return shop.owner.put(`/bank/accounts/${one._id}`, { ...one, tail: other.tail })
      },
      STEP_UP_REQUIRED: async (shop) => {
        const one = await account(shop)
        return (await provoked(shop)).put(`/bank/accounts/${one._id}`, one)
      },
    },
    preview: {
      STATEMENT_UNREADABLE: (shop) => shop.owner.post('/bank/statements/preview', { text: 'Nothing of a bank' }),
    },
    import: {
      STATEMENT_UNREADABLE: async (shop) =>
        shop.owner.post('/bank/statements', { text: '%PDF-1.7', accountId: (await account(shop))._id }),
      ACCOUNT_UNKNOWN: async (shop) =>
        shop.owner.post('/bank/statements', {
          text: statementOf([{}], { tail: '0001' }),
          accountId: (await account(shop))._id,
        }),
      NOT_FOUND: (shop) => shop.owner.post('/bank/statements', { text: statementOf([{}]), accountId: missing() }),
      STEP_UP_REQUIRED: async (shop) =>
        (await provoked(shop)).post('/bank/statements', { text: statementOf([{}]), accountId: missing() }),
    },
    creditTo: {
      NOT_FOUND: async (shop) =>
        shop.owner.post(`/bank/credits/${missing()}/credit`, { userId: (await shop.buyer()).id, reason: 'Asked' }),
      CREDIT_TAKEN: async (shop) => {
        const { creditId } = await credited(shop)
        const { id: userId } = await shop.buyer()
        await shop.owner.api.bank.creditTo({ id: creditId, userId, reason: 'Asked' })
        return shop.owner.post(`/bank/credits/${creditId}/credit`, { userId, reason: 'Asked' })
      },
      NOT_A_PAYMENT: async (shop) => {
        const { creditId } = await credited(shop, { narration: (ref) => `REV-UPI-501-SHOP@OKHDFC-${ref}-REVERSAL` })
        return shop.owner.post(`/bank/credits/${creditId}/credit`, { userId: (await shop.buyer()).id, reason: 'Asked' })
      },
      UTR_ALREADY_USED: async (shop) => {
        const { creditId } = await confirmed(shop, { amount: 100 })
        return shop.owner.post(`/bank/credits/${creditId}/credit`, { userId: (await shop.buyer()).id, reason: 'Asked' })
      },
      STEP_UP_REQUIRED: async (shop) => {
        const { creditId } = await credited(shop, { amount: 50_000 })
        const { id: userId } = await shop.buyer()
        return (await provoked(shop)).post(`/bank/credits/${creditId}/credit`, { userId, reason: 'Asked' })
      },
    },
    creditInstead: {
      NOT_FOUND: async (shop) =>
        shop.owner.put(`/payments/${missing()}/credit-instead`, { creditId: missing(), expectedAmount: 1 }),
      NOT_PENDING: async (shop) => {
        const { creditId } = await credited(shop)
        return shop.owner.put(`/payments/${await decided(shop)}/credit-instead`, { creditId, expectedAmount: 100 })
      },
      CREDIT_TAKEN: async (shop) => {
        const { id, creditId } = await confirmed(shop, { amount: 100, shown: 90 })
        await shop.owner.api.bank.setAside({ id: creditId, why: 'Own money' })
        return shop.owner.put(`/payments/${id}/credit-instead`, { creditId, expectedAmount: 90 })
      },
      AMOUNT_DIFFERS: async (shop) => {
        const { id, creditId } = await confirmed(shop, { amount: 100, shown: 90 })
        return shop.owner.put(`/payments/${id}/credit-instead`, { creditId, expectedAmount: 100 })
      },
      NOT_A_PAYMENT: async (shop) => {
        const { id, creditId } = await confirmed(shop, {
          amount: 100,
          narration: (ref) => `REV-UPI-501-SHOP@OKHDFC-${ref}-REVERSAL`,
        })
        return shop.owner.put(`/payments/${id}/credit-instead`, { creditId, expectedAmount: 100 })
      },
      STEP_UP_REQUIRED: async (shop) => {
        const { id, creditId } = await confirmed(shop, { amount: 100, shown: 50_000 })
        return (await provoked(shop)).put(`/payments/${id}/credit-instead`, { creditId, expectedAmount: 50_000 })
      },
    },
    setAside: {
      NOT_FOUND: (shop) => shop.owner.put(`/bank/credits/${missing()}/set-aside`, { why: 'Own money' }),
      CREDIT_TAKEN: async (shop) => {
        const { creditId } = await credited(shop)
        await shop.owner.api.bank.creditTo({ id: creditId, userId: (await shop.buyer()).id, reason: 'Asked' })
        return shop.owner.put(`/bank/credits/${creditId}/set-aside`, { why: 'Own money' })
      },
    },
    takeBack: {
      NOT_FOUND: (shop) => shop.owner.post(`/payments/${missing()}/take-back`, { reason: 'Wrong' }),
      NOTHING_TO_TAKE_BACK: async (shop) =>
        shop.owner.post(`/payments/${await pending(shop)}/take-back`, { reason: 'Wrong' }),
      STEP_UP_REQUIRED: async (shop) =>
        (await provoked(shop)).post(`/payments/${await pending(shop)}/take-back`, { reason: 'Wrong' }),
    },
    saveRules: { STEP_UP_REQUIRED: async (shop) => (await provoked(shop)).put('/bank/rules', rules()) },
    addSender: {
      NOT_FOUND: (shop) => shop.owner.post('/bank/senders', { accountId: missing(), header: 'ZQXXXX' }),
      STEP_UP_REQUIRED: async (shop) => {
        const { accountId, header } = await unknownSender(shop)
        return (await provoked(shop)).post('/bank/senders', { accountId, header })
      },
    },
    learnForm: {
      NOT_FOUND: (shop) => shop.owner.put(`/bank/forms/${missing()}`, { learned: true }),
      STEP_UP_REQUIRED: async (shop) =>
        (await provoked(shop)).put(`/bank/forms/${await wording(shop)}`, { learned: true }),
    },
    endSender: { NOT_FOUND: (shop) => shop.owner.put(`/bank/senders/${missing()}`, { ended: true }) },
    closeAlarm: { NOT_FOUND: (shop) => shop.owner.put(`/bank/alarms/${missing()}`, { note: 'Looked at' }) },
  },
  /** A phone's alert that is understood, and one that is kept because it is not. */
  plants: async (shop) => {
    const { token, account, say } = await phone(shop)
    const mark = randomBytes(6).toString('hex')
    const [vpa, words] = [`vpa.${mark}@okaxis`, `c4nary/${mark} sms & words`]
    const answers = [
      await say(alertOf({ ref: nextUtr(), vpa })),
      await say(`Rs.77.00 or Rs.78.00 credited to A/c XX${account.tail}, ${words}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    return { 'payer VPA': vpa, 'SMS text': words, 'phone token': token }
  },
  shows: {
    credits: { 'payer VPA': DESK },
    unread: { 'SMS text': CASHIERS },
  },
}
