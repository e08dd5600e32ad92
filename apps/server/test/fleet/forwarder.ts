import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { databaseUrl } from '#test/bot/program.ts'
import type { TestDatabase } from '#test/database.ts'

/** Forwards connections to a database until it is cut. */
export interface Forwarder {
  readonly port: number
  /** DATABASE_URL through the forwarder. */
  readonly url: string
  /** Like a network that fails: no side gets an answer, an end or an error. New connections get no answer either. */
  readonly cut: () => void
  readonly mend: () => void
  readonly close: () => void
}

export async function startForwarder({ target }: Pick<TestDatabase, 'target'>): Promise<Forwarder> {
  const { host, port: farPort = 5432 } = target
  let cut = false
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${farPort}` } : { host, port: farPort })
    // A cut connection stays dead, because bytes are missing.
    let dead = cut
    const pass = (to: Socket) => (bytes: Buffer) => {
      dead ||= cut
      if (!dead) to.write(bytes)
    }
    near.on('data', pass(far))
    far.on('data', pass(near))
    far.on('end', () => dead || near.end())
    near.on('end', () => dead || far.end())
    for (const side of [near, far]) {
      open.add(side)
      side.on('error', () => undefined)
    }
    near.on('close', () => dead || far.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  return {
    ...{ port, url: databaseUrl({ target: { ...target, host: '127.0.0.1', port } }) },
    cut: () => void (cut = true),
    mend: () => void (cut = false),
    close: () => {
      server.close()
      for (const side of open) side.destroy()
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('server without a port')
  return address.port
}
