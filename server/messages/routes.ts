import { Refusal } from '../../contract/errors.ts'
import type { messages } from '../../contract/messages.ts'
import { audit } from '../audit/audit.ts'
import type { Call, Handlers } from '../platform/http/http.ts'
import { reviveDelivery } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { readChannel, readStates } from './channels/channels.ts'
import { chooserOf, readChoices, saveChoices } from './channels/choices.ts'
import { listDeliveries } from './list-deliveries.ts'
import {
  endPhone,
  endSubscription,
  listPhones,
  isSubscribed,
  keepSubscription,
  refuseHost,
  refuseKeys,
  vapidKeys,
  type Owner,
} from './channels/push.ts'
import { saveChannel } from './save-channel.ts'
import { endTelegramLinks, makeLinkCode, readOwnChat, renewChats } from './telegram/telegram-links.ts'
import { testChannel } from './test-channel.ts'
import { endMails } from './channels/unsubscribe.ts'
import type { Reach } from './channels/reach.ts'

export const messageRoutes = (services: Services, reach: Reach): Handlers<typeof messages> => {
  const { db, sealer } = services
  const isOn = async (name: 'email' | 'push' | 'telegram') => (await readChannel(db, name)).isOn
  const refuseOff = async (name: 'push' | 'telegram') => {
    if (!(await isOn(name))) throw new Refusal('CHANNEL_OFF')
  }
  return {
    channels: async (_, { admin }) => {
      const chat = await readOwnChat(db, admin.id)
      return { channels: await readStates(db), ...(chat && { chat }) }
    },
    saveChannel: (change, call) => saveChannel(services, reach, change, call),
    testChannel: (asked, call) => testChannel(services, reach, asked, call),
    log: (search) => listDeliveries(db, search),
    retry: async ({ id }, { now }) => {
      if (!(await reviveDelivery(db, id, now))) throw new Refusal('NOT_FOUND')
      return { message: 'It will be sent again.' }
    },
    pushKey: async () => ({
      publicKey: (await isOn('push')) ? (await vapidKeys(db, sealer)).publicKey : null,
      mails: await isOn('email'),
    }),
    subscribe: async (subscription, call) => {
      await refuseOff('push')
      refuseHost(subscription.endpoint, reach.outbound)
      refuseKeys(subscription.keys)
      await keepSubscription(db, sealer, subscription, ownerOf(call, subscription.as), call)
      return { message: 'Notifications to this phone are on.' }
    },
    pushHere: async ({ endpoint, as }, call) => ({ isOn: await isSubscribed(db, endpoint, ownerOf(call, as)) }),
    unsubscribe: async ({ endpoint, as }, call) => {
      await endSubscription(db, endpoint, ownerOf(call, as))
      return { message: 'Notifications to this phone are off.' }
    },
    phones: async ({ as, endpoint }, call) => ({ phones: await listPhones(db, ownerOf(call, as), endpoint) }),
    endPhone: async ({ id, as }, call) => {
      const owner = ownerOf(call, as)
      await db.transaction(async (tx) => {
        if (!(await endPhone(tx, id, owner, call.now))) throw new Refusal('NOT_FOUND')
        const { admin } = call
        if (owner.admin && admin)
          await audit(tx, { ...call, admin }, { action: 'messages.end-phone', subject: admin.username })
      })
      return { message: 'This phone gets no more notifications.' }
    },
    choices: async ({ as }, call) => readChoices(db, await chooserOf(db, ownerOf(call, as))),
    choose: async ({ choices, as }, call) => {
      const chooser = await chooserOf(db, ownerOf(call, as))
      await saveChoices(db, chooser, choices)
      return readChoices(db, chooser)
    },
    endMails: async ({ token }) => ({ kind: await endMails(db, sealer, token) }),
    linkTelegram: async (_, call) => {
      call.requireProof()
      await refuseOff('telegram')
      return db.transaction(async (tx) => {
        await audit(tx, call, { action: 'messages.link', subject: call.admin.username })
        return makeLinkCode(tx, call.admin.id, call.now)
      })
    },
    renewTelegram: async (_, call) => {
      call.requireProof()
      return db.transaction(async (tx) => {
        const chat = await renewChats(tx, call.admin.id, call.now)
        await audit(tx, call, { action: 'messages.renew', subject: call.admin.username })
        return chat
      })
    },
    unlinkTelegram: async (_, call) => {
      await db.transaction(async (tx) => {
        await audit(tx, call, { action: 'messages.unlink', subject: call.admin.username })
        await endTelegramLinks(tx, { adminId: call.admin.id }, call.now)
      })
      return { message: 'Your Telegram chats are no longer linked.' }
    },
  }
}

/** A browser may hold a buyer's session and an admin's. @returns one of them */
function ownerOf({ user, admin }: Pick<Call, 'user' | 'admin'>, as: 'user' | 'admin' = 'user'): Owner {
  if (admin && (as === 'admin' || !user)) return { user: null, admin }
  if (user) return { user, admin: null }
  throw new Refusal('NO_SESSION')
}
