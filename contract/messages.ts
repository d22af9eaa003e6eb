/** Messages to people's phones and mailboxes: the channels, who chooses what, and what was sent. */
import * as z from 'zod/mini'
import { AMOUNT_MAX, rupeesBetween } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Email, Flag, Id, line, Message, Moment, Paging, Total, wholeNumber } from './fields.ts'
import { CHANNELS, KIND_NAMES } from './message-kinds.ts'
import { ZERO } from './money.ts'
import { bareCode } from './pasted.ts'

const ChannelName = z.enum(CHANNELS).check(z.describe('How a message goes out'))
const DeliveryState = z
  .enum(['waiting', 'sent', 'dead', 'dropped'])
  .check(z.describe('`dead` failed permanently; `dropped` was no longer needed'))

export const ChannelState = z.object({
  name: ChannelName,
  isOn: z.boolean(),
  isSet: z.boolean().check(z.describe('It has all that it needs to be turned on')),
  facts: z.record(z.string(), z.unknown()).check(z.describe('What is set, without secrets')),
  error: z.nullable(z.string()).check(z.describe('Why the channel does not work right now')),
})
export type ChannelState = z.output<typeof ChannelState>

export const OwnChat = z
  .object({ since: Moment, expiresAt: Moment })
  .check(z.describe('The caller’s Telegram chat. It may have expired; absent without one'))
export type OwnChat = z.output<typeof OwnChat>

export const Delivery = z.object({
  _id: Id,
  kind: z.enum(KIND_NAMES),
  channel: ChannelName,
  to: z.string().check(z.describe('A username, never an address')),
  state: DeliveryState,
  attempts: z.number(),
  createdAt: Moment,
  sentAt: z.nullable(Moment),
  status: z.nullable(z.number()),
  error: z.nullable(z.string()),
})
export type Delivery = z.output<typeof Delivery>

const Choice = z.object({ kind: z.enum(KIND_NAMES), channel: ChannelName, on: Flag })
export type MessageChoice = z.output<typeof Choice>
const Choices = z.object({ choices: z.array(Choice) })
const as = z.optional(
  z
    .enum(['user', 'admin'])
    .check(z.describe('Whose it is where a browser holds both sessions; the buyer’s when absent')),
)

const key = (label: string) => line(label, 1, 200).check(z.regex(/^[\w+/=-]+$/, { error: `${label} is not valid` }))
export const Endpoint = z
  .string({ error: 'The push address is missing' })
  .check(
    z.describe('The address that the browser got from its push service'),
    z.maxLength(2_000, { error: 'The push address can have up to 2000 characters' }),
  )

export const Phone = z.object({
  _id: Id,
  userAgent: z.string().check(z.describe('The browser that turned the messages on; empty where it is not known')),
  createdAt: Moment,
  lastSentAt: z.nullable(Moment),
  current: z.boolean().check(z.describe('It is the browser with this `endpoint`')),
})
export type Phone = z.output<typeof Phone>

export const messages = {
  channels: {
    route: 'GET /messages/channels',
    access: 'admin',
    summary: 'How the store can reach people, and whether it works. Secrets are never answered.',
    output: z.object({ channels: z.array(ChannelState), chat: z.optional(OwnChat) }),
  },
  saveChannel: {
    route: 'PUT /messages/channels/{name}',
    access: 'admin',
    summary: 'Sets up a channel or turns it on or off. Absent fields stay, and so does an absent secret.',
    input: z.object({
      name: ChannelName,
      isOn: z.optional(Flag),
      host: z.optional(line('Server', 1, 253)),
      port: z.optional(wholeNumber(1, 65_535, 'Enter a port from 1 to 65535')),
      user: z.optional(line('Username', 0, 254)),
      password: z.optional(line('Password', 0, 500)),
      from: z.optional(Email),
      botToken: z.optional(
        z
          .string()
          .check(z.overwrite(bareCode), z.regex(/^\d{3,20}:[\w-]{20,100}$/, { error: 'This is not a bot token' })),
      ),
      decide: z.optional(Flag),
      decideUpTo: z.optional(rupeesBetween(ZERO, AMOUNT_MAX, 'Enter an amount in rupees')),
      decidePerDay: z.optional(rupeesBetween(ZERO, AMOUNT_MAX, 'Enter an amount in rupees')),
    }),
    output: ChannelState,
    refusals: ['STEP_UP_REQUIRED'],
  },
  testChannel: {
    route: 'POST /messages/channels/{name}/test',
    access: 'admin',
    summary:
      'Sends the words of the newest real event of a kind: e-mail to the sender’s own address, push to the caller’s ' +
      'devices, Telegram to the caller’s chat.',
    input: z.object({ name: ChannelName, kind: z.enum(KIND_NAMES) }),
    output: z.object({ state: DeliveryState, status: z.nullable(z.number()), error: z.nullable(z.string()) }),
    refusals: ['CHANNEL_OFF'],
    limit: 'export',
  },
  log: {
    route: 'GET /messages/log',
    access: 'admin',
    summary: 'What was sent to whom, newest first; failed ones first when `state` is absent. No addresses.',
    input: z.object({ ...Paging, state: z.optional(DeliveryState), channel: z.optional(ChannelName) }),
    output: z.object({ deliveries: z.array(Delivery), ...Total }),
  },
  retry: {
    route: 'POST /messages/{id}/retry',
    access: 'admin',
    summary: 'Sends a failed message again.',
    ...aboutOne,
  },
  pushKey: {
    route: 'GET /messages/push',
    access: 'public',
    summary: 'The key that a browser subscribes to push messages with; null while the channel is off.',
    output: z.object({
      publicKey: z.nullable(z.string()),
      mails: z.optional(z.boolean()).check(z.describe('True if the store sends e-mails')),
    }),
  },
  subscribe: {
    route: 'POST /messages/push',
    access: 'user-or-admin',
    summary:
      'Sends push messages to this browser until its person logs out there. They go on when the session ' +
      'expires. Another person’s login in this browser ends them.',
    status: 201,
    input: z.object({ endpoint: Endpoint, keys: z.object({ p256dh: key('The key'), auth: key('The secret') }), as }),
    output: Message,
    refusals: ['PUSH_HOST_REFUSED', 'CHANNEL_OFF'],
    limit: 'push',
  },
  pushHere: {
    route: 'GET /messages/push/here',
    access: 'user-or-admin',
    summary: 'Whether the store sends the caller’s push messages to this browser.',
    input: z.object({ endpoint: Endpoint, as }),
    output: z.object({ isOn: z.boolean() }),
  },
  unsubscribe: {
    route: 'DELETE /messages/push',
    access: 'user-or-admin',
    summary: 'Ends the push messages to one of the caller’s browsers.',
    input: z.object({ endpoint: Endpoint, as }),
    output: Message,
  },
  phones: {
    route: 'GET /messages/phones',
    access: 'user-or-admin',
    summary: 'The phones and computers that get the caller’s push messages, newest first.',
    input: z.object({ endpoint: z.optional(Endpoint), as }),
    output: z.object({ phones: z.array(Phone) }),
  },
  endPhone: {
    route: 'DELETE /messages/phones/{id}',
    access: 'user-or-admin',
    summary: 'Ends the push messages to one of these phones.',
    input: z.object({ id: Id, as }),
    output: Message,
    refusals: ['NOT_FOUND'],
  },
  choices: {
    route: 'GET /messages/choices',
    access: 'user-or-admin',
    summary: 'What the caller gets messages about, by which of the channels that are on.',
    input: z.object({ as }),
    output: Choices,
  },
  choose: {
    route: 'PUT /messages/choices',
    access: 'user-or-admin',
    summary: 'Changes what the caller gets messages about; absent pairs stay.',
    input: z.extend(Choices, { as }),
    output: Choices,
  },
  endMails: {
    route: 'POST /messages/unsubscribe/{token}',
    access: 'public',
    summary: 'Ends e-mails of one kind to the reader of a mail, with the signed link in it (RFC 8058). Needs no login.',
    input: z.object({
      token: z
        .string()
        .check(
          z.overwrite(bareCode),
          z.maxLength(200, { error: 'This link is not valid' }),
          z.describe('From the link of a mail'),
        ),
    }),
    output: z.object({ kind: z.enum(KIND_NAMES) }),
    refusals: ['UNSUBSCRIBE_LINK_INVALID'],
    takesText: true,
  },
  linkTelegram: {
    route: 'POST /messages/telegram',
    access: 'admin',
    roles: ['payments', 'stock', 'support'],
    summary: 'Makes a code of 10 minutes. Sent to the bot in a private chat, it links that chat to the caller.',
    status: 201,
    output: z.object({ code: z.string(), expiresAt: Moment }),
    refusals: ['STEP_UP_REQUIRED', 'CHANNEL_OFF'],
  },
  renewTelegram: {
    route: 'PUT /messages/telegram',
    access: 'admin',
    roles: ['payments', 'stock', 'support'],
    summary: 'Lets the caller’s linked chat go on for another 90 days.',
    output: OwnChat,
    refusals: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
  },
  unlinkTelegram: {
    route: 'DELETE /messages/telegram',
    access: 'admin',
    roles: ['payments', 'stock', 'support'],
    summary: 'Ends the messages to the caller’s chats.',
    output: Message,
  },
} as const satisfies Declarations
