import type { Client } from 'pg'
import { connectDirect } from '#db/nodes/direct-connection.ts'
import type { TestDatabase } from '#test/database.ts'

/** Connections of a bus whose frames can be lost on their way. */
export interface LossyLine {
  readonly connect: () => Promise<Client>
  /** Loses all frames from now on, or no more. */
  readonly lose: (on: boolean) => void
  /** Frames lost so far. */
  readonly lost: () => number
}

export function createLossyLine({ target }: Pick<TestDatabase, 'target'>): LossyLine {
  let losing = false
  let lost = 0
  const isLost = (sql: unknown): boolean => losing && typeof sql === 'string' && sql.includes('pg_notify')
  return {
    lose: (on) => (losing = on),
    lost: () => lost,
    connect: async () => {
      const client = await connectDirect(target)
      return new Proxy<Client>(client, {
        get: (of, name) => {
          const value: unknown = Reflect.get(of, name, of)
          if (typeof value !== 'function') return value
          return (...args: unknown[]): unknown => {
            if (name !== 'query' || !isLost(args[0])) return Reflect.apply(value, of, args)
            lost += 1
            return Promise.resolve({ rows: [] })
          }
        },
      })
    },
  }
}
