import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

/** Without private sockets (Windows) the server listens on the loopback and requires a random password. */
export const LOOPBACK = '127.0.0.1'

export function runningPort(pgdata: string): number | null {
  const arquivo = join(pgdata, 'postmaster.pid')
  if (!existsSync(arquivo)) return null
  const porta = Number(readFileSync(arquivo, 'utf8').split('\n')[3])
  return Number.isInteger(porta) && porta > 0 ? porta : null
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, LOOPBACK, () => {
      const endereco: AddressInfo | string | null = server.address()
      const porta = typeof endereco === 'object' ? (endereco?.port ?? 0) : 0
      server.close(() => resolve(porta))
    })
  })
}
