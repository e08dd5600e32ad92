import { type AuthenticationCreds, BufferJSON, initAuthCreds, type SignalDataSet, type SignalKeyStore } from 'baileys'
import type { SessionHost, JournalEntry, KeyChange } from './anfitriao.ts'

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
  onError: (erro: unknown) => void,
): DeviceCredentials {
  const guardadas = host.credentials
  const novas = typeof guardadas !== 'string'
  const creds: AuthenticationCreds = novas ? initAuthCreds() : deserialize(guardadas)
  copyOutOfPool(creds)
  let escrita: Promise<void> = Promise.resolve()
  return {
    creds,
    isNew: novas,
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
  for (const campo of Object.keys(object)) {
    const valor: unknown = Reflect.get(object, campo)
    if (valor instanceof Uint8Array) {
      if (valor.buffer.byteLength > valor.byteLength) Reflect.set(object, campo, Buffer.alloc(valor.length, valor))
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
export function createConnectionKeys({ keys }: Pick<SessionHost, 'keys'>, onError: (erro: unknown) => void): ConnectionKeys {
  const emCurso = new Set<Promise<unknown>>()
  let encerrada = false
  const vigiada = async <T>(passo: () => Promise<T>): Promise<T> => {
    if (encerrada) throw new Error('connection closed')
    const feito = passo()
    emCurso.add(feito)
    try {
      return await feito
    } catch (erro) {
      if (!encerrada) onError(erro)
      throw erro
    } finally {
      emCurso.delete(feito)
    }
  }
  return {
    get: (tipo, ids) =>
      vigiada(async () => {
        const achadas = await keys.read(tipo, ids)
        return Object.fromEntries([...achadas].map(([id, valor]) => [id, deserialize(valor)]))
      }),
    set: (mudancas) => vigiada(() => keys.write(...splitChanges(mudancas))),
    close: async () => {
      encerrada = true
      await Promise.allSettled(emCurso)
    },
  }
}

function splitChanges(changes: SignalDataSet): [KeyChange[], JournalEntry[]] {
  const gravadas: KeyChange[] = []
  const chegadas: JournalEntry[] = []
  for (const [tipo, valores] of Object.entries<Record<string, unknown> | undefined>(changes)) {
    for (const [id, valor] of Object.entries(valores ?? {})) {
      if (tipo === JOURNAL_KEY_TYPE) chegadas.push({ id, valor: String(valor) })
      else gravadas.push({ tipo, id, valor: valor === null || valor === undefined ? null : serialize(valor) })
    }
  }
  return [gravadas, chegadas]
}
