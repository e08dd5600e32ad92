import { type AuthenticationCreds, BufferJSON, initAuthCreds, type SignalDataSet, type SignalKeyStore } from 'baileys'
import type { Anfitriao, Chegada, MudancaChave } from './anfitriao.ts'

/** Values of the library as text and back: they hold bytes at any depth. */
export function emTexto(valor: unknown): string {
  return JSON.stringify(valor, BufferJSON.replacer)
}

export function deTexto(texto: string): ReturnType<typeof JSON.parse> {
  return JSON.parse(texto, BufferJSON.reviver)
}

export interface Credenciais {
  readonly creds: AuthenticationCreds
  readonly novas: boolean
  /** Writes all of them; what changes while they are being written is written next. Never rejects. */
  readonly salvar: () => Promise<void>
}

/** The identity of one linked device: from the store, or newly made to be paired. */
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
 * Gives every key memory of its own. Small buffers are slices of a heap of many (64 KiB in Node 24): a key of 32 bytes that
 * lives as long as a session would hold all of it.
 */
function soltarDoMonte(objeto: object): void {
  for (const campo of Object.keys(objeto)) {
    const valor: unknown = Reflect.get(objeto, campo)
    if (valor instanceof Uint8Array) {
      if (valor.buffer.byteLength > valor.byteLength) Reflect.set(objeto, campo, Buffer.alloc(valor.length, valor))
    } else if (typeof valor === 'object' && valor !== null) soltarDoMonte(valor)
  }
}

/** Our own kind of entry among those of a ratchet's step: a message that the step decrypted. */
export const CHEGADA = 'chegada'

/** The keys of one device, as one line sees them. */
export interface ChavesDaLinha extends SignalKeyStore {
  /** Nothing more is read or written; resolves when what had begun is over. */
  readonly encerrar: () => Promise<void>
}

/**
 * Each `set` is one transaction in the host's store, a decrypted message included. `falhou` is called before the library
 * hears of a failure: what it would tell the server then must not get there. A line that is over writes nothing: its last
 * steps must not come after the first ones of the next line.
 */
export function createChaves({ chaves }: Pick<Anfitriao, 'chaves'>, falhou: (erro: unknown) => void): ChavesDaLinha {
  const emCurso = new Set<Promise<unknown>>()
  let encerrada = false
  const vigiada = async <T>(passo: () => Promise<T>): Promise<T> => {
    if (encerrada) throw new Error('this line is over')
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
