import { linkChat } from '../../../server/messages/telegram/telegram-links.ts'
import { unsubscribeToken } from '../../../server/messages/channels/unsubscribe.ts'
import { newId } from '../../../server/platform/ids.ts'
import { sql } from '../../../server/platform/database/database.ts'
import { anAdmin, unproven } from '../../worlds/admins.ts'
import type { Shop } from '../../worlds/shop.ts'
import { missing, pending } from '../things.ts'
import type { Walk } from '../walk.ts'

/** A browser's address at a push service, and the keys that it gives with it. */
const subscription = () => ({
  endpoint: `https://updates.push.services.mozilla.com/wpush/v2/${newId()}`,
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
})

const pushOn = (shop: Shop) => shop.owner.api.messages.saveChannel({ name: 'push', isOn: true })
const bot = { botToken: '12345678:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQr' }

/** Turned on without a bot, because no Telegram is here to say whose it is. */
const telegramOn = (shop: Shop) =>
  shop.store.db.run(sql`
    insert into channels (name, is_on, sealed) values ('telegram', true, ''::bytea)
    on conflict (name) do update set is_on = true`)

async function linkedChat(shop: Shop): Promise<void> {
  await telegramOn(shop)
  const { code } = await shop.owner.api.messages.linkTelegram({})
  await linkChat(shop.store.db, { code, chatId: 7, fromId: 7 }, shop.store.clock.now())
}

async function deadDelivery(shop: Shop): Promise<string> {
  const [message, delivery] = [newId(), newId()]
  const now = shop.store.clock.now()
  await shop.store.db.run(sql`
    insert into outbox_messages (id, kind, not_before, spread_at, created_at)
    values (${message}, 'topup.requested', ${now}, ${now}, ${now})`)
  await shop.store.db.run(sql`
    insert into outbox_deliveries (id, message_id, channel, target, state, next_at, created_at)
    values (${delivery}, ${message}, 'push', ${newId()}, 'dead', ${now}, ${now})`)
  return delivery
}

const signed = async ({ store: { app }, buyer }: Shop) =>
  (await unsubscribeToken(app.services.db, app.services.sealer, (await buyer()).id, 'topup.approved')) ?? ''

export const messages: Walk<'messages'> = {
  succeed: {
    channels: (shop) => shop.owner.get('/messages/channels'),
    saveChannel: (shop) =>
      shop.owner.put('/messages/channels/email', {
        // A store without PUBLIC_URL sends no mail
        isOn: false,
        host: '127.0.0.1',
        port: 25,
        user: 'shop',
        password: 'the mailbox',
        from: 'shop@example.in',
      }),
    testChannel: async (shop) => {
      await pushOn(shop)
      await pending(shop)
      return shop.owner.post('/messages/channels/push/test', { kind: 'topup.requested' })
    },
    log: async (shop) => {
      await deadDelivery(shop)
      return shop.owner.get('/messages/log?limit=10')
    },
    retry: async (shop) => shop.owner.post(`/messages/${await deadDelivery(shop)}/retry`),
    pushKey: async (shop) => {
      await pushOn(shop)
      return shop.visitor().get('/messages/push')
    },
    subscribe: async (shop) => {
      await pushOn(shop)
      return (await shop.buyer()).post('/messages/push', subscription())
    },
    pushHere: async (shop) =>
      (await shop.buyer()).get(`/messages/push/here?endpoint=${encodeURIComponent(subscription().endpoint)}`),
    unsubscribe: async (shop) =>
      (await shop.buyer()).delete(`/messages/push?endpoint=${encodeURIComponent(subscription().endpoint)}`),
    phones: async (shop) => {
      await pushOn(shop)
      const buyer = await shop.buyer()
      await buyer.post('/messages/push', subscription())
      return buyer.get('/messages/phones')
    },
    endPhone: async (shop) => {
      await pushOn(shop)
      const buyer = await shop.buyer()
      await buyer.post('/messages/push', subscription())
      const { phones } = await buyer.api.messages.phones({})
      return buyer.delete(`/messages/phones/${phones[0]?._id}`)
    },
    choices: async (shop) => (await shop.buyer()).get('/messages/choices'),
    choose: async (shop) =>
      (await shop.buyer()).put('/messages/choices', {
        choices: [{ kind: 'topup.approved', channel: 'push', on: false }],
      }),
    endMails: async (shop) => shop.visitor().post(`/messages/unsubscribe/${await signed(shop)}`),
    linkTelegram: async (shop) => {
      await telegramOn(shop)
      return shop.owner.post('/messages/telegram')
    },
    renewTelegram: async (shop) => {
      await linkedChat(shop)
      return shop.owner.put('/messages/telegram')
    },
    unlinkTelegram: (shop) => shop.owner.delete('/messages/telegram'),
  },
  refuse: {
    saveChannel: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).put('/messages/channels/telegram', bot),
    },
    testChannel: {
      CHANNEL_OFF: async (shop) => {
        await shop.owner.api.messages.saveChannel({ name: 'push', isOn: false })
        return shop.owner.post('/messages/channels/push/test', { kind: 'topup.requested' })
      },
    },
    retry: { NOT_FOUND: (shop) => shop.owner.post(`/messages/${missing()}/retry`) },
    subscribe: {
      PUSH_HOST_REFUSED: async (shop) => {
        await pushOn(shop)
        return (await shop.buyer()).post('/messages/push', { ...subscription(), endpoint: 'https://127.0.0.1/push' })
      },
      CHANNEL_OFF: async (shop) => {
        await shop.owner.api.messages.saveChannel({ name: 'push', isOn: false })
        return (await shop.buyer()).post('/messages/push', subscription())
      },
    },
    endPhone: { NOT_FOUND: async (shop) => (await shop.buyer()).delete(`/messages/phones/${missing()}`) },
    endMails: {
      UNSUBSCRIBE_LINK_INVALID: async (shop) =>
        shop.visitor().post(`/messages/unsubscribe/${(await signed(shop)).replace('approved', 'rejected')}`),
    },
    renewTelegram: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).put('/messages/telegram'),
      NOT_FOUND: async (shop) => (await anAdmin(shop)).browser.put('/messages/telegram'),
    },
    linkTelegram: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post('/messages/telegram'),
      CHANNEL_OFF: async (shop) => {
        await shop.store.db.run(sql`delete from channels where name = 'telegram'`)
        return shop.owner.post('/messages/telegram')
      },
    },
  },
}
