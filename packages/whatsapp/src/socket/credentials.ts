import { type AuthenticationCreds, BufferJSON, initAuthCreds, type SignalDataSet, type SignalKeyStore } from 'baileys'
import { serialQueue } from '@balcao/connector/keyed-queue'
import type { SessionHost, JournalEntry, KeyChange } from '@balcao/connector/port'

/** Serializes a value of the library. Values contain bytes at any depth. */
export function serialize(value: unknown): string {
  return JSON.stringify(value, BufferJSON.replacer)
}

export function deserialize(text: string): ReturnType<typeof JSON.parse> {
  return JSON.parse(text, BufferJSON.reviver)
}

export interface DeviceCredentials {
  readonly creds: AuthenticationCreds
  readonly isNew: boolean
  /** Writes all credentials, one write at a time. Never rejects. */
  readonly save: () => Promise<void>
}

export function openDeviceCredentials(
  host: Pick<SessionHost, 'credentials' | 'saveCredentials'>,
  onError: (error: unknown) => void,
): DeviceCredentials {
  const stored = host.credentials
  const fresh = typeof stored !== 'string'
  const creds: AuthenticationCreds = fresh ? initAuthCreds() : deserialize(stored)
  copyOutOfPool(creds)
  const write = serialQueue()
  return {
    creds,
    isNew: fresh,
    save: () => {
      copyOutOfPool(creds)
      return write(() => host.saveCredentials(serialize(creds))).catch(onError)
    },
  }
}

/**
 * Copies every key into separate memory. Small buffers are slices of a 64 KiB pool (Node 24), and a long-lived key
 * of 32 bytes would keep the whole pool in memory.
 */
function copyOutOfPool(object: object): void {
  for (const field of Object.keys(object)) {
    const value: unknown = Reflect.get(object, field)
    if (value instanceof Uint8Array) {
      if (value.buffer.byteLength > value.byteLength) Reflect.set(object, field, Buffer.alloc(value.length, value))
    } else if (typeof value === 'object' && value !== null) copyOutOfPool(value)
  }
}

/** Key type of a journal entry: a message that was decrypted in the same transaction. */
export const JOURNAL_KEY_TYPE = 'chegada'

export interface ConnectionKeys extends SignalKeyStore {
  /** Ends reads and writes. Resolves when those in progress have finished. */
  readonly close: () => Promise<void>
}

/**
 * Each `set` is one transaction in the host's store, including decrypted messages. `onError` runs before the library
 * sees a failure, because the library would report it to the server. After `close` all calls are refused, so a
 * late write cannot overtake the first ones of the next connection.
 */
export function createConnectionKeys(
  { keys }: Pick<SessionHost, 'keys'>,
  onError: (error: unknown) => void,
): ConnectionKeys {
  const inFlight = new Set<Promise<unknown>>()
  let closed = false
  const guarded = async <T>(step: () => Promise<T>): Promise<T> => {
    if (closed) throw new Error('connection closed')
    const done = step()
    inFlight.add(done)
    try {
      return await done
    } catch (error) {
      if (!closed) onError(error)
      throw error
    } finally {
      inFlight.delete(done)
    }
  }
  return {
    get: (type, ids) =>
      guarded(async () => {
        const found = await keys.read(type, ids)
        return Object.fromEntries([...found].map(([id, valor]) => [id, deserialize(valor)]))
      }),
    set: (changes) => guarded(() => keys.write(...splitChanges(changes))),
    close: async () => {
      closed = true
      await Promise.allSettled(inFlight)
    },
  }
}

function splitChanges(changes: SignalDataSet): [KeyChange[], JournalEntry[]] {
  const written: KeyChange[] = []
  const arrivals: JournalEntry[] = []
  for (const [tipo, values] of Object.entries<Record<string, unknown> | undefined>(changes)) {
    for (const [id, valor] of Object.entries(values ?? {})) {
      if (tipo === JOURNAL_KEY_TYPE) arrivals.push({ id, valor: String(valor) })
      else written.push({ tipo, id, valor: valor === null || valor === undefined ? null : serialize(valor) })
    }
  }
  return [written, arrivals]
}
