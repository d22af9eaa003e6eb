/**
 * Yardsticks of the read endpoints, in a process of their own: a bare Fastify server that sends bytes from memory
 * (/memory/N), and the same after one named primary-key read through the driver (/row/N).
 *
 * Run by fork with a `Yardstick` message; answers with its port.
 */
import fastify from 'fastify'
import pg from 'pg'

export interface Yardstick {
  connection: { host: string; port: number; user: string; database: string }
  /** The answers of /memory/N and /row/N. */
  bodies: string[]
  /** The row that /row/N reads. */
  userId: string
}

process.once('message', (yardstick: Yardstick) => void serve(yardstick))
process.once('disconnect', () => process.exit(0))

async function serve({ connection, bodies, userId }: Yardstick): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 16 })
  const app = fastify()
  for (const [n, body] of bodies.entries()) {
    app.get(`/memory/${n}`, (_, reply) => reply.type('application/json; charset=utf-8').send(body))
    app.get(`/row/${n}`, async (_, reply) => {
      await pool.query({ name: 'one', text: 'select id, username, email from users where id = $1', values: [userId] })
      return reply.type('application/json; charset=utf-8').send(body)
    })
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
}
