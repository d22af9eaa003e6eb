/** The demo's shop, before its first buyer: UPI ID, referral codes, top-up plans and products with keys. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Api } from '../../contract/api.ts'
import type { Client } from '../../contract/client.ts'
import { seededDice } from './dice.ts'
import { addProduct } from './store-calls.ts'

const PRODUCTS = [
  {
    name: 'Skyforge Season Pass',
    description: 'Ranked access and every cosmetic drop for the running season.',
    nameHi: 'स्काईफ़ोर्ज सीज़न पास',
    descriptionHi: 'इस सीज़न के रैंक्ड मैच और सारे नए लुक।',
    instructionsHi:
      'स्काईफ़ोर्ज खोलें और पहली स्क्रीन पर Redeem दबाएँ।\nkey पेस्ट करें। पास तुरंत चालू हो जाता है।\n' +
      'नहीं चला? https://skyforge.example/help/redeem देखें।',
    hot: true,
    instructions:
      'Open Skyforge and press Redeem on the title screen.\nPaste the key. The pass starts right away.\n' +
      'It fails? See https://skyforge.example/help/redeem.',
    downloadUrl: 'https://skyforge.example/download',
    prices: { '10 Days': 199, '1 Month': 449, '1 Year': 3_999 },
    stock: 60,
    delivery: { supplier: 'Skyforge Studio', costPerKey: 140, note: 'Season 4, invoice 1182' },
  },
  {
    name: 'Orbit Arena Pro',
    description: 'Unlocks the pro queue, replays and private lobbies.',
    hot: false,
    prices: { '5 Days': 99, '1 Month': 399 },
    stock: 90,
    delivery: { supplier: 'Keyport Wholesale', costPerKey: 62 },
  },
  {
    name: 'Drift Zero Ultimate',
    description: 'All cars, all tracks, daily time trials. Works on one device.',
    hot: true,
    prices: { '1 Month': 649, '5 Months': 2_499 },
    stock: 24,
    delivery: { supplier: 'Keyport Wholesale', costPerKey: 480, note: 'Small lot; ask for more in December' },
  },
  {
    name: 'Hexfall Tactics',
    description: 'Turn-based campaign with co-op and the map editor.',
    hot: false,
    prices: { '10 Days': 149, '1 Month': 349 },
    stock: 0,
    delivery: {},
  },
  {
    name: 'Night Circuit VIP',
    description: 'Street racing after dark: VIP garage and double credits.',
    nameHi: 'नाइट सर्किट VIP',
    descriptionHi: 'रात की स्ट्रीट रेसिंग: VIP गैराज और दोगुने क्रेडिट।',
    instructionsHi: 'https://nightcircuit.example/vip पर लॉगिन करें, Activate चुनें और key पेस्ट करें।',
    hot: false,
    instructions: 'Log in at https://nightcircuit.example/vip, choose Activate and paste the key.',
    prices: { '10 Days': 249, '1 Month': 599 },
    stock: 48,
    delivery: { supplier: 'Night Circuit Ltd', costPerKey: 175 },
  },
  {
    name: 'Ember Online Founder',
    description: 'Founder rank, a private shard and monthly ember chests.',
    hot: true,
    prices: { '1 Month': 299, '1 Year': 2_799 },
    stock: 32,
    delivery: { supplier: 'Ember Interactive', costPerKey: 205, note: 'Founder ranks end with the year' },
  },
  {
    name: 'Paper Kingdoms',
    description: 'Fold, build, besiege: the full game with both expansions.',
    nameHi: 'पेपर किंगडम्स',
    descriptionHi: 'मोड़ें, बनाएँ, हमला करें: पूरा गेम, दोनों एक्सपैंशन के साथ।',
    hot: false,
    prices: { '10 Days': 79, '1 Month': 189 },
    stock: 40,
    delivery: { supplier: 'Paper Crown Games', costPerKey: 48 },
  },
  {
    name: 'Tidebound Rangers',
    description: 'Co-op sailing survival for up to four friends.',
    hot: false,
    prices: { '1 Week': 129, '1 Month': 329, '6 Months': 1_499 },
    stock: 75,
    delivery: { supplier: 'Keyport Wholesale', costPerKey: 88, note: 'Second order of the season' },
  },
] as const

export async function openShop(owner: Client<Api>): Promise<void> {
  await owner.settings.saveUpi({ upiId: 'chaabi.demo@okaxis', payeeName: 'ASHA VERMA', paymentEnabled: true })
  await owner.settings.saveNotice({
    text: 'Payments made between 1 am and 6 am are approved after 7 am.',
    noticeHi: 'रात 1 से सुबह 6 बजे के बीच किए गए पेमेंट सुबह 7 बजे के बाद मंज़ूर होते हैं।',
  })
  await owner.referrals.create({ code: 'WELCOME50', description: '₹50 to start with', maxUsage: 500, rewardAmount: 50 })
  await owner.referrals.create({ code: 'FRIENDS', description: 'For friends of the store' })
  for (const [amount, bonus] of [
    [200, 200],
    [500, 550],
    [1_000, 1_150],
    [2_000, 2_400],
  ] as const)
    await owner.payments.createPlan({ amount, bonus })
  for (const product of PRODUCTS) {
    const initials = product.name.replaceAll(/[^A-Z]/g, '')
    await addProduct(owner, { ...product, keyText: (index, n) => keyText(initials, index * 1_000 + n) })
  }
  await giveFace(owner)
}

/** Something nearly free, once a person. */
async function offerTrial(owner: Client<Api>): Promise<void> {
  const product = (await owner.catalogue.list({})).find(({ name }) => name === 'Drift Zero Ultimate')
  if (!product) return
  const { _id: id, prices } = product
  const kept = prices.map(({ _id, duration, price = 0 }) => ({ _id, duration, price }))
  await owner.catalogue.update({ id, prices: [...kept, { duration: '1 Day', price: 5, trial: true }] })
  const keys = Array.from({ length: 12 }, (_, n) => keyText('DZT', 2_000 + n))
  await owner.keys.add({ productId: id, duration: '1 Day', keys, supplier: 'Keyport Wholesale', costPerKey: 2 })
}

/** Many keys of one duration in one order cost less. */
async function offerSteps(owner: Client<Api>): Promise<void> {
  const product = (await owner.catalogue.list({})).find(({ name }) => name === 'Paper Kingdoms')
  if (!product) return
  const steps = [
    { from: 5, price: 169 },
    { from: 10, price: 149 },
  ]
  const prices = product.prices.map(({ _id, duration, price = 0 }) => {
    return { _id, duration, price, ...(duration === '1 Month' && { steps }) }
  })
  await owner.catalogue.update({ id: product._id, prices })
}

/** Regular buyers pay less. One has not bought enough yet, and is there by hand. */
async function giveGold(owner: Client<Api>): Promise<void> {
  const gold = { name: 'Gold', percentOff: 15, fromSpent: 10_000, prices: [] }
  const { _id: groupId } = await owner.groups.create(gold)
  const [regular] = (await owner.users.list({ search: 'kabir' })).users
  if (regular) await owner.users.setGroup({ id: regular._id, groupId })
}

/** Prepares a product that buyers don’t see yet, a trial, a group of buyers, and quantities that cost less. */
export async function prepareNext(owner: Client<Api>): Promise<void> {
  await offerTrial(owner)
  await offerSteps(owner)
  await giveGold(owner)
  await addProduct(owner, {
    name: 'Comet Rally Early Access',
    description: 'Opens with the new season in December.',
    isListed: false,
    prices: { '1 Month': 379 },
    stock: 20,
    keyText: (index, n) => keyText('CREA', index * 1_000 + n),
    delivery: { supplier: 'Keyport Wholesale', costPerKey: 210 },
  })
}

/** Makes a text that looks like a key, such as "SSP0-8F2Q-77KD-XM4P". Each is different. */
function keyText(initials: string, n: number): string {
  const dice = seededDice(n * 7_919 + initials.length * 104_729 + initials.charCodeAt(0) * 31 + initials.charCodeAt(1))
  const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
  const group = () => Array.from({ length: 4 }, () => alphabet[dice(alphabet.length)]).join('')
  return `${initials.padEnd(3, 'X').slice(0, 3)}${n % 10}-${group()}-${group()}-${group()}`
}

const PICTURES = path.join(import.meta.dirname, 'demo-pictures')
const PICTURED = ['Skyforge Season Pass', 'Drift Zero Ultimate']

/** A logo, an accent and pictures of two products, all drawn for the demo. */
async function giveFace(owner: Client<Api>): Promise<void> {
  const data = (name: string) => readFile(path.join(PICTURES, `${name}.webp`), 'base64')
  await owner.settings.saveFace({
    accent: 'violet',
    heroLine: 'Play tonight. Keys in seconds.',
    heroLineHi: 'आज रात खेलें। Key तुरंत पाएँ।',
  })
  await owner.pictures.saveOfStore({ place: 'logo', data: await data('logo') })
  for (const { _id: id, name } of await owner.catalogue.list({}))
    if (PICTURED.includes(name))
      await owner.pictures.saveOfProduct({ id, data: await data(name.toLowerCase().replaceAll(' ', '-')) })
}
