import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../../scripts/store-process.ts'
import { reasonOf } from './reason.ts'

test('a name with two addresses that both refuse has both reasons', async () => {
  const port = await freePort()
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const error = await new Promise((resolve) =>
    connect({
      host: 'db.example',
      port,
      autoSelectFamily: true,
      lookup: (_, __, found) => found(null, addresses),
    }).once('error', resolve),
  )

  expect((error as Error).message).toBe('')
  expect(await reasonOf(error, '/data')).toBe(
    `connect ECONNREFUSED 127.0.0.1:${port}, connect ECONNREFUSED 127.0.0.2:${port}`,
  )
})

test('a taken port, and a user who may not create tables, are told with what to do', async () => {
  const taken = Object.assign(new Error('listen EADDRINUSE: address already in use 127.0.0.1:4000'), {
    code: 'EADDRINUSE',
  })
  expect(await reasonOf(taken, '/data')).toBe(
    `Another program listens there, or the store runs already. Stop it, or set another PORT. (${taken.message})`,
  )
  const denied = Object.assign(new Error('permission denied for schema public'), { code: '42501' })
  expect(await reasonOf(denied, '/data')).toContain('ALTER DATABASE … OWNER TO … (permission denied for schema public)')
  const other = Object.assign(new Error('permission denied for table orders'), { code: '42501' })
  expect(await reasonOf(other, '/data')).toBe(other.message)
})

test('a full disk is named, whoever met it, and every other reason stays', async () => {
  const words = 'The disk is full at /data. Free some room, then run this again. '
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(await reasonOf(full, '/data')).toBe(`${words}(${full.message})`)
  expect(await reasonOf(Object.assign(new Error('could not extend file'), { code: '53100' }), '/data')).toContain(words)
  expect(await reasonOf(new Error('Something else'), '/data')).toBe('Something else')
  expect(await reasonOf(Object.assign(new Error(''), { code: 'EIO' }), '/data')).toBe('EIO')
})
