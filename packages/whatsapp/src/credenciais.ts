import { type AuthenticationCreds, BufferJSON, initAuthCreds, type SignalDataSet, type SignalKeyStore } from 'baileys'
import type { Anfitriao, Chegada, MudancaChave } from './anfitriao.ts'

/** Serializes a value of the library. Values contain bytes at any depth. */
export function emTexto(valor: unknown): string {
  return JSON.stringify(valor, BufferJSON.replacer)
}

export function deTexto(texto: string): ReturnType<typeof JSON.parse> {
  return JSON.parse(texto, BufferJSON.reviver)
}

export interface Credenciais {
  readonly creds: AuthenticationCreds
  readonly novas: boolean
  /** Writes all credentials, one write at a time. Never rejects. */
  readonly salvar: () => Promise<void>
}

/** Reads the credentials of a linked device, or creates new ones for pairing. */
export function abrirCredenciais(
  host: Pick<Anfitriao, 'credenciais' | 'salvarCredenciais'>,
  falhou: (erro: unknown) => void,
): Credenciais {
  const guardadas = host.credenciais
  const novas = typeof guardadas !== 'string'
  const creds: AuthenticationCreds = novas ? initAuthCreds() : deTexto(guardadas)
  soltarDoMonte(creds)
  let escrita: Promise<void> = Promise.resolve()
  return {
    creds,
    novas,
    salvar: () => {
      soltarDoMonte(creds)
      escrita = escrita.then(() => host.salvarCredenciais(emTexto(creds))).catch(falhou)
      return escrita
    },
  }
}

/**
 * Copies every key into separate memory. Small buffers are slices of a 64 KiB pool (Node 24), and a long-lived key
 * of 32 bytes would keep the whole pool in memory.
 */
function soltarDoMonte(objeto: object): void {
  for (const campo of Object.keys(objeto)) {
    const valor: unknown = Reflect.get(objeto, campo)
    if (valor instanceof Uint8Array) {
      if (valor.buffer.byteLength > valor.byteLength) Reflect.set(objeto, campo, Buffer.alloc(valor.length, valor))
    } else if (typeof valor === 'object' && valor !== null) soltarDoMonte(valor)
  }
}

/** Key type of a journal entry: a message that was decrypted in the same transaction. */
export const CHEGADA = 'chegada'

export interface ChavesDaLinha extends SignalKeyStore {
  /** Ends reads and writes. Resolves when those in progress have finished. */
  readonly encerrar: () => Promise<void>
}

/**
 * Each `set` is one transaction in the host's store, including decrypted messages. `falhou` runs before the library
 * sees a failure, because the library would report it to the server. After `encerrar` all calls are refused, so a
 * late write cannot overtake the first ones of the next connection.
 */
export function createChaves({ chaves }: Pick<Anfitriao, 'chaves'>, falhou: (erro: unknown) => void): ChavesDaLinha {
  const emCurso = new Set<Promise<unknown>>()
  let encerrada = false
  const vigiada = async <T>(passo: () => Promise<T>): Promise<T> => {
    if (encerrada) throw new Error('connection closed')
    const feito = passo()
    emCurso.add(feito)
    try {
      return await feito
    } catch (erro) {
      if (!encerrada) falhou(erro)
      throw erro
    } finally {
      emCurso.delete(feito)
    }
  }
  return {
    get: (tipo, ids) =>
      vigiada(async () => {
        const achadas = await chaves.ler(tipo, ids)
        return Object.fromEntries([...achadas].map(([id, valor]) => [id, deTexto(valor)]))
      }),
    set: (mudancas) => vigiada(() => chaves.gravar(...separar(mudancas))),
    encerrar: async () => {
      encerrada = true
      await Promise.allSettled(emCurso)
    },
  }
}

function separar(mudancas: SignalDataSet): [MudancaChave[], Chegada[]] {
  const gravadas: MudancaChave[] = []
  const chegadas: Chegada[] = []
  for (const [tipo, valores] of Object.entries<Record<string, unknown> | undefined>(mudancas)) {
    for (const [id, valor] of Object.entries(valores ?? {})) {
      if (tipo === CHEGADA) chegadas.push({ id, valor: String(valor) })
      else gravadas.push({ tipo, id, valor: valor === null || valor === undefined ? null : emTexto(valor) })
    }
  }
  return [gravadas, chegadas]
}
