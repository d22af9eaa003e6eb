import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Turns, type Turn } from './turns.ts'

const here: Turn = { lane: 'buyers', network: '198.51.100.7', account: 'asha', isGone: () => false }

/** One turn after the other; each waits until it is let go. */
function openTurns(options: Partial<ConstructorParameters<typeof Turns>[0]> = {}) {
  const turns = new Turns({ atOnce: 1, ofAccountMax: 2, waitMsMax: 10_000, waitingMax: 100, ...options })
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    async ask(turn: Partial<Turn>, name = Object.values(turn).join(' ')) {
      const asked = turns.take({ ...here, ...turn }, () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
      // Those that still wait at the end of a test are refused later
      asked.catch(() => {})
      await sleep(1)
      return { asked }
    },
    async endNext() {
      ends.shift()?.()
      await sleep(1)
    },
  }
}

describe('turns', () => {
  test('go from account to account, however many calls of one of them wait', async () => {
    const { ask, begun, endNext } = openTurns()
    for (let n = 0; n < 20; n++) await ask({ account: 'busy' })
    await ask({ account: 'asha' })

    await endNext()
    expect(begun).toEqual(['busy', 'busy'])
    await endNext()
    expect(begun).toEqual(['busy', 'busy', 'asha'])
  })

  test('go from network to network, however many accounts of one of them wait', async () => {
    const { ask, begun, endNext } = openTurns()
    for (let n = 0; n < 20; n++) await ask({ network: '2001:db8:7', account: `made-up ${n}` }, 'stranger')
    await ask({ network: '203.0.113.9' }, 'asha')

    await endNext()
    await endNext()
    expect(begun).toEqual(['stranger', 'stranger', 'asha'])
  })

  test('go from lane to lane, however many networks wait in one of them', async () => {
    const { ask, begun, endNext } = openTurns()
    for (let n = 0; n < 20; n++) await ask({ network: `198.51.100.${n}`, account: `made-up ${n}` }, 'stranger')
    await ask({ lane: 'admins', account: 'owner' }, 'owner')

    await endNext()
    await endNext()
    expect(begun).toEqual(['stranger', 'stranger', 'owner'])
  })

  test('come soon to a network without one lately, however many others come again', async () => {
    const { ask, begun, endNext } = openTurns()
    const strangers = Array.from({ length: 20 }, (_, n) => ({ network: `198.51.100.${n}`, account: 'made-up' }))
    for (const each of strangers) await ask(each)
    for (const _ of strangers) await endNext()
    for (const each of strangers) await ask(each)
    await ask({ network: '203.0.113.9' }, 'asha')

    await endNext()
    await endNext()
    expect(begun.slice(20)).toContain('asha')
  })

  test('are refused to the last of the network with the most who wait, when there are too many', async () => {
    const { ask, begun, endNext } = openTurns({ waitingMax: 4 })
    await ask({ network: '198.51.100.1' }, 'begun')
    const strangers = []
    for (let n = 0; n < 4; n++) strangers.push(await ask({ network: '198.51.100.2', account: `made-up ${n}` }))
    await ask({ network: '203.0.113.9' }, 'asha')

    await expect(strangers[3]?.asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    for (let n = 0; n < 5; n++) await endNext()
    expect(begun).toHaveLength(5)
    expect(begun).toContain('asha')
  })

  test('of one account are two at a time, also where there is room', async () => {
    const { ask, begun } = openTurns({ atOnce: 8 })
    for (let n = 0; n < 5; n++) await ask({ account: 'busy' })
    await ask({ account: 'asha' })

    expect(begun).toEqual(['busy', 'busy', 'asha'])
  })

  test('that come too late are refused with the time to come back, and nothing is done for them', async () => {
    const { ask, begun, endNext } = openTurns({ waitMsMax: 20 })
    await ask({ account: 'busy' })

    const { asked } = await ask({ account: 'asha' })
    await expect(asked).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      extras: { retryAfterMs: 20 },
    })
    await endNext()
    expect(begun).toEqual(['busy'])
    await ask({ account: 'ravi' })
    expect(begun).toEqual(['busy', 'ravi'])
  })

  test('of callers who have hung up are skipped', async () => {
    const { ask, begun, endNext } = openTurns()
    await ask({ account: 'busy' })
    const gone = await ask({ account: 'gone', isGone: () => true })
    await ask({ account: 'asha' })

    const [outcome] = await Promise.allSettled([gone.asked, endNext()])
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { code: 'SERVICE_UNAVAILABLE', cause: { message: expect.stringContaining('password check') as string } },
    })
    expect(begun).toEqual(['busy', 'asha'])
  })

  test('go on after work that failed', async () => {
    const turns = new Turns({ atOnce: 1, ofAccountMax: 2, waitMsMax: 10_000, waitingMax: 100 })
    await expect(turns.take(here, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turns.take(here, () => Promise.resolve('yes'))).toBe('yes')
  })
})
