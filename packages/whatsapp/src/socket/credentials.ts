import { type AuthenticationCreds, BufferJSON, initAuthCreds, type SignalDataSet, type SignalKeyStore } from 'baileys'
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

/** Reads the credentials of a linked device, or creates new ones for pairing. */
export function openDeviceCredentials(
  host: Pick<SessionHost, 'credentials' | 'saveCredentials'>,
  onError: (error: unknown) => void,
): DeviceCredentials {
  const stored = host.credentials
  const fresh = typeof stored !== 'string'
  const creds: AuthenticationCreds = fresh ? initAuthCreds() : deserialize(stored)
  copyOutOfPool(creds)
  let escrita: Promise<void> = Promise.resolve()
  return {
    creds,
    isNew: fresh,
    save: () => {
      copyOutOfPool(creds)
      escrita = escrita.then(() => host.saveCredentials(serialize(creds))).catch(onError)
      return escrita
    },
  }
}

/**
 * Copies every key into separate memory. Small buffers are slices of a 64 KiB pool (Node 24), and a long-lived key
 * of 32 bytes would keep the whole pool in memory.
 */
function copyOutOfPool(object: object): void {
  for (const field of Object.keys(object)) {
    const valor: unknown = Reflect.get(object, field)
    if (valor instanceof Uint8Array) {
      if (valor.buffer.byteLength > valor.byteLength) Reflect.set(object, field, Buffer.alloc(valor.length, valor))
    } else if (typeof valor === 'object' && valor !== null) copyOutOfPool(valor)
  }
}

/** Key type of a journal entry: a message that was decrypted in the same transaction. */
export const JOURNAL_KEY_TYPE = 'chegada'

export interface ConnectionKeys extends SignalKeyStore {
  /** Ends reads and writes. Resolves when those in progress have finished. */
  readonly close: () => Promise<void>
}

/**
 * Each `set` is one transaction in the host's store, including decrypted messages. `falhou` runs before the library
 * sees a failure, because the library would report it to the server. After `encerrar` all calls are refused, so a
 * late write cannot overtake the first ones of the next connection.
 */
export function createConnectionKeys(
  { keys }: Pick<SessionHost, 'keys'>,
  onError: (error: unknown) => void,
): ConnectionKeys {
  const inFlight = new Set<Promise<unknown>>()
  let encerrada = false
  const vigiada = async <T>(step: () => Promise<T>): Promise<T> => {
    if (encerrada) throw new Error('connection closed')
    const done = step()
    inFlight.add(done)
    try {
      return await done
    } catch (error) {
      if (!encerrada) onError(error)
      throw error
    } finally {
      inFlight.delete(done)
    }
  }
  return {
    get: (tipo, ids) =>
      vigiada(async () => {
        const found = await keys.read(tipo, ids)
        return Object.fromEntries([...found].map(([id, valor]) => [id, deserialize(valor)]))
      }),
    set: (mudancas) => vigiada(() => keys.write(...splitChanges(mudancas))),
    close: async () => {
      encerrada = true
      await Promise.allSettled(inFlight)
    },
  }
}

function splitChanges(changes: SignalDataSet): [KeyChange[], JournalEntry[]] {
  const gravadas: KeyChange[] = []
  const arrivals: JournalEntry[] = []
  for (const [tipo, values] of Object.entries<Record<string, unknown> | undefined>(changes)) {
    for (const [id, valor] of Object.entries(values ?? {})) {
      if (tipo === JOURNAL_KEY_TYPE) arrivals.push({ id, valor: String(valor) })
      else gravadas.push({ tipo, id, valor: valor === null || valor === undefined ? null : serialize(valor) })
    }
  }
  return [gravadas, arrivals]
}
