import { expect, test } from 'vitest'
import { settings } from './settings.ts'
import { readSupportLink, supportPlace, whatsAppChat } from './support-link.ts'

const { input: Input } = settings.saveStore

const OPENS: [written: string, url: string, shown?: string][] = [
  ['9876543210', 'https://wa.me/919876543210', 'WhatsApp +91 98765 43210'],
  ['+91 98765 43210', 'https://wa.me/919876543210', 'WhatsApp +91 98765 43210'],
  ['098765-43210', 'https://wa.me/919876543210', 'WhatsApp +91 98765 43210'],
  ['+971 50 123 4567', 'https://wa.me/971501234567', 'WhatsApp +971501234567'],
  ['wa.me/919876543210', 'https://wa.me/919876543210', 'WhatsApp +91 98765 43210'],
  ['https://wa.me/919876543210', 'https://wa.me/919876543210', 'WhatsApp +91 98765 43210'],
  ['https://wa.me/message/AB12?src=qr', 'https://wa.me/message/AB12?src=qr', 'WhatsApp message/AB12?src=qr'],
  ['t.me/novakeys', 'https://t.me/novakeys', 'Telegram @novakeys'],
  ['Help@nova.example', 'mailto:Help@nova.example', 'Email Help@nova.example'],
  ['mailto:help@nova.example', 'mailto:help@nova.example', 'Email help@nova.example'],
  ['https://nova.example/help', 'https://nova.example/help'],
  ['', ''],
]

test.each(OPENS)('a support link is saved as what it opens: %s', (written, url, shown) => {
  const input = { supportUrl: written }
  expect(Input.parse(input)).toEqual({ supportUrl: url })
  // What was saved is taken again
  expect(Input.parse({ supportUrl: url })).toEqual({ supportUrl: url })
  const link = readSupportLink(written)
  expect(link && `${link.service} ${link.shown}`).toBe(shown)
})

test.each([
  'javascript:alert(1)',
  'http://nova.example',
  'mailto:a@b.example?bcc=all@c.example',
  'a@b',
  '12345',
  '1234567890',
  'wa.me/<script>',
  't.me/a b',
  'data:text/html,x',
  'https://wa.me/"onload=x',
  `https://nova.example/${'x'.repeat(300)}`,
])('no support link: %s', (supportUrl) => {
  expect(Input.safeParse({ supportUrl }).success).toBe(false)
})

test('a chat begins with its text, and only with a mobile number', () => {
  expect(whatsAppChat('9876543210', 'Hello & ₹5')).toBe('https://wa.me/919876543210?text=Hello%20%26%20%E2%82%B95')
  for (const phone of ['12345', 'Asha', '9876543210?text=x']) expect(whatsAppChat(phone, '')).toBeUndefined()
})

test('a link says where it leads', () => {
  expect(
    [
      'https://wa.me/919876543210',
      'https://t.me/shop',
      'mailto:help@shop.example',
      'https://www.help.example/chat?to=1',
      'https://shop.example',
    ].map(supportPlace),
  ).toEqual(['WhatsApp', 'Telegram', 'Email', 'help.example', 'shop.example'])
})
